package source

import (
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// RFC 4180: a quote opens a cell only where the cell begins. Counted by pairs,
// the one of 5" disk would swallow the rows up to the next.
func TestQuoteInsideACell(t *testing.T) {
	for page, want := range map[string]string{
		"hold_ms,note\n100,ok\n100,5\" disk\n9000,slow\n9000,slow\n":                                                      "9001ms",
		"hold_ms;note\n100;a,\"b\n9000;slow\n":                                                                            "9001ms",
		"hold_ms,note\n100,\"5\"\" disk\"\n9000,\"a\n\"\"b\"\", \n\"\n2,\"\"\n":                                           "9001ms",
		"timeStamp,elapsed,label,responseCode,responseMessage,success\n1,100,a,200,5\" disk,true\n2,8999,a,200,OK,true\n": "9s",
		"timeStamp\telapsed\tlabel\tnote\n1\t100\ta\tx,\"y\n2\t8999\ta\tz\n":                                              "9s",
	} {
		upper(t, mustText(t, page, Query{}), map[float64]string{1: want})
	}
	for page, says := range map[string]string{
		"hold_ms,note\n1,\"a\n9000,b\n9000,c\n":                                           "x:2: a quote that does not end",
		"hold_ms,note\n1,a\n9000,\"b":                                                     "x:3: a quote that does not end",
		"hold_ms,note\n1,\"it's 5\" long\"\n9000,b\n":                                     "x:2: text behind the quote",
		"timeStamp,elapsed,label,message\n1,1,a,\"x\n2,9000,a,y\n":                        "x:2: a quote that does not end",
		"hold_ms,note\n1,\"a\nb\"c\n9000,\"d\n":                                           "x:3: text behind the quote",
		"metric_name,timestamp,metric_value,note\nhold,1,1,\"x\nhold,2,9000,y\n":          "x:2: a quote that does not end",
		"timeStamp,elapsed,label,success,failureMessage\n1,5,a,true,\"\n2,9000,a,true,\n": "x:2: a quote that does not end",
	} {
		q := Query{}
		if strings.HasPrefix(page, "metric_name") {
			q.Metric = "hold"
		}
		_, err := text("x", page, q)
		refused(t, err, fault.Usage, says)
	}
}

// What the hint says to write is then read: RFC 4180 has as many cells in each
// row as in the header, empty ones too.
func TestShortRowSaysWhatToDo(t *testing.T) {
	for _, c := range []struct{ head, row, ending string }{
		{"start,hold_ms,host\n1,300,a\n", "2,400", `","`},
		{"start,hold_ms,host,note\n1,300,a,b\n", "2,\"400\"", `",,"`},
		{"start;hold_ms;host\n1;300;a\n", "2;400", `";"`},
		{"start\thold_ms\thost\n1\t300\ta\n", "2\t400", `"\t"`},
		{"start,hold_ms,host\n1,300,a\n", "2", `",,"`},
	} {
		_, err := text("x", c.head+c.row+"\n", Query{})
		refused(t, err, fault.Usage, "x:3", "write the table again", "end the row with "+c.ending)
		ending, _ := strconv.Unquote(c.ending)
		count := uint64(2)
		if c.row == "2" { // no value
			count = 1
		}
		if o := mustText(t, c.head+c.row+ending+"\n", Query{}); o.Dist.Count() != count {
			t.Errorf("%q: %d samples", c.row+ending, o.Dist.Count())
		}
	}
}

// A first value that is no duration is an error like any other: taken for a
// header it would be lost.
func TestFirstValueIsNoHeader(t *testing.T) {
	for _, first := range []string{"15 000 ms", "-15s", "+x", "\u221215s", "Infinity", "+Inf", "NaN", "timeout", "TIMEOUT", "null", "0x10", "1ms\x005s", "15,5s"} {
		_, err := text("x", first+"\n100ms\n200ms\n", Query{Format: "durations"})
		refused(t, err, fault.Usage, "x:1", "is not a duration")
		if _, err = text("x", first+"\n100ms\n200ms\n", Query{}); err == nil {
			t.Errorf("%q is passed over", first)
		}
	}
	for _, header := range []string{"hold_ms", "Hold (ms)", "duration", "time to finish"} {
		if o := mustText(t, "# x\n"+header+"\n100ms\n200ms\n", Query{}); o.Dist.Count() != 2 {
			t.Errorf("%q: %d samples", header, o.Dist.Count())
		}
	}
}

// A moment is no duration, although its name ends in a unit.
func TestColumnOfAMomentIsNotTaken(t *testing.T) {
	for _, name := range []string{"start_ms", "startTimeMs", "end_ms", "timestamp_ms", "ts_ms", "time_ms", "created_at_ms", "Started (ms)", "epoch_s", "finishMillis"} {
		_, err := text("x", name+",took\n1,5000\n2,5\n", Query{})
		refused(t, err, fault.Usage, "which column", "took")
		_, err = text("x", name+",took\n1,5000\n2,5\n", Query{Column: name})
		refused(t, err, fault.Usage, "point in time", "--unit")
		_, err = text("x", `{"id":1,"`+name+`":5000}`, Query{Field: name})
		refused(t, err, fault.Usage, "point in time", "--unit")
		// The user may know better.
		if o := mustText(t, name+",took\n1,5000\n2,5\n", Query{Column: name, Unit: "ms"}); o.Dist.Count() != 2 {
			t.Errorf("--column %s: %d samples", name, o.Dist.Count())
		}
		o := mustText(t, name+",hold_ms\n1,5000\n2,5\n", Query{})
		upper(t, o, map[float64]string{1: "5001ms"})
	}
	for _, name := range []string{"response_time_ms", "elapsedMillis", "Latency (ms)", "status_ms"} {
		upper(t, mustText(t, name+",took\n7,5000\n", Query{}), map[float64]string{1: "8ms"})
	}
}

// 1,234 is a thousand and more in one country, a little over 1 in the next.
func TestCommaThatMayGroupThousands(t *testing.T) {
	for page, want := range map[string]string{
		"a;hold_ms\nx;\"1,234\"\nx;5,5\n":     "5500us", // 5,5 says that it is the decimal sign
		"a;hold_ms\nx;0,123\nx;0,5\n":         "500us",
		"a;hold_ms\nx;0,123\n":                "123us",
		"a;hold_ms\nx;1234,567\n":             "1234567us",
		"a;hold_ms\nx;1.5\nx;2.125\n":         "2125us",
		"a,hold_ms\nx,1.234\n":                "1234us",
		"a;hold_ms;b\nx;5;1,234\ny;6;\"1.2\"": "7ms", // another column
	} {
		upper(t, mustText(t, page, Query{}), map[float64]string{1: want})
	}
	for page, says := range map[string]string{
		"a;hold_ms\nx;\"1,234\"\nx;5\n":   "x:2",
		"a;hold_ms\nx;5\nx;12,345 ms\n":   "x:3",
		"a;hold_ms\nx;1,5\nx;1.234\n":     "commas and points",
		"a;hold_ms\nx;1.234,5\n":          "x:2",
		"a;hold_ms\nx;1,234.5\nx;5,5\n":   "x:2",
		"a;hold_ms\nx;1,234,567\nx;5,5\n": "x:2",
	} {
		_, err := text("x", page, Query{})
		refused(t, err, fault.Usage, says)
	}
}

// What was to be kept apart must not be mixed without a word.
func TestOptionThatSelectsNothing(t *testing.T) {
	csv, jtl := "svc,hold_ms\nfast,1\nslow,9000\n", "timeStamp,elapsed,label,threadName\n1,1,a,x\n2,9000,a,y\n"
	match := must(ParseMatch(`svc="slow"`))
	for _, c := range []struct {
		page, option string
		q            Query
	}{
		{csv, "--match", Query{Match: match}},
		{csv, "--metric", Query{Metric: "nope"}},
		{csv, "--field", Query{Field: "svc"}},
		{jtl, "svc", Query{Match: match}},
		{jtl, "--column", Query{Column: "elapsed"}},
		{`<testResults><sample t="1" lb="a" s="true"/></testResults>`, "svc", Query{Match: match}},
		{jvmPage, "--metric", Query{Metric: "nope"}},
		{"1s\n2s\n", "--match", Query{Match: match}},
		{"h_seconds_bucket{le=\"1\"} 1\nh_seconds_bucket{le=\"+Inf\"} 9\n", "--match: le", Query{Match: must(ParseMatch(`le="1"`)), SinceStart: true}},
		{"h_seconds_bucket{vmrange=\"1.000e-01...1.136e-01\"} 9\n", "--match: vmrange", Query{Match: must(ParseMatch(`vmrange=~"1.*"`))}},
		{"{\"d\":\"1s\"}\n", "--operation", Query{Field: "d", Operation: "x"}},
		{"h_seconds_bucket{le=\"+Inf\"} 1\n", "--column", Query{Column: "x"}},
	} {
		_, err := text("x", c.page, c.q)
		refused(t, err, fault.Usage, c.option)
	}
	// Every format that the table names is there.
	known := " "
	for _, f := range formats {
		known += f.name + " "
	}
	for _, s := range selectors {
		for _, name := range strings.Fields(s.formats) {
			if !strings.Contains(known, " "+name+" ") {
				t.Errorf("--%s: %s is no format", s.option, name)
			}
		}
	}
}

// Samples in a form that JMeter does not write would be missing.
func TestJTLXMLOfOtherElements(t *testing.T) {
	for _, sample := range []string{
		`<graphqlSample t="8000" lb="a" s="true"/>`,
		"<httpSample\n t=\"9000\" lb=\"a\" s=\"true\"/>",
		"<sample\tt=\"9000\" lb=\"a\" s=\"true\"/>",
		"<sample/>",
	} {
		_, err := text("x", "<testResults version=\"1.2\">\n<httpSample t=\"5\" lb=\"a\" s=\"true\"/>\n"+sample+"\n</testResults>\n", Query{})
		refused(t, err, fault.Usage, "x:3")
	}
}

// A record without the value may be the one that timed out.
func TestRecordsWithoutAValueAreTold(t *testing.T) {
	for page, q := range map[string]Query{
		"{\"d_ms\":5}\n{\"err\":\"timeout\"}\n{\"d_ms\":[1]}\n{\"d_ms\":null}\n": {Field: "d_ms"},
		"[{\"d_ms\":5},{\"err\":\"timeout\"},{\"d_ms\":{\"e\":1}},7]":            {Field: "d_ms"},
		"a,hold_ms\nx,5\nx,\ny, \nz,\n":                                          {},
	} {
		o := mustText(t, page, q)
		f, ok := has(o, "LP202")
		if o.Dist.Count() != 1 || o.Dist.Max().Upper != 6*time.Millisecond || !ok || !strings.HasPrefix(f.Message, "3 ") {
			t.Errorf("%q: %d samples, %v", page, o.Dist.Count(), o.Findings)
		}
	}
	o := mustText(t, "a,hold_ms\nx,5\n\n", Query{})
	if f, told := has(o, "LP202"); told {
		t.Errorf("%v", f)
	}
}

// RFC 4180, 2.6: a quoted cell may hold line breaks, wherever it stands. The
// columns of the second are in JMeter's own order.
func TestLineBreaksInFrontOfAColumn(t *testing.T) {
	for page, want := range map[string]string{
		"note,hold_ms\n\"a\nb\",5\nx,6\n\"\r\n\r\n\"\"c\"\",\n,7\n\",9000\n": "9001ms",
		"timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage\n" +
			"1,100,a,200,OK,t,text,true,\n2,50,a,504,\"oops\nmore\",t,text,false,\"x\"\n3,70,a,500,\"oops\",t,text,true,\"x\ny\"\n": "inf",
		"note;hold_ms\n\"a\nb\";5\n\"c;\nd\";9000\n": "9001ms",
	} {
		for _, workers := range []int{1, 4} {
			processors, size := runtime.GOMAXPROCS(workers), blockSize
			blockSize = 16
			o := mustText(t, page, Query{})
			runtime.GOMAXPROCS(processors)
			blockSize = size
			if o.Dist.Count() != 3 && !strings.Contains(page, ";") {
				t.Errorf("%s%d rows", page, o.Dist.Count())
			}
			upper(t, o, map[float64]string{1: want})
		}
	}
	long := "\"" + strings.Repeat(strings.Repeat("x", 999)+"\n", 1000) + "\""
	if o := mustText(t, "note,hold_ms\n"+long+",9000\n"+long+",1\n", Query{}); o.Dist.Count() != 2 || o.Dist.Max().Upper != 9001*time.Millisecond {
		t.Errorf("%d rows, longest %v", o.Dist.Count(), o.Dist.Max())
	}
	_, err := text("x", "note,hold_ms\na,1\n"+long[:len(long)-1]+strings.Repeat("y\n", 50_000)+"\",9000\n", Query{})
	refused(t, err, fault.Usage, "x:3", "a quote that does not end")
}
