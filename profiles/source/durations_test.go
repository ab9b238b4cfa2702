package source

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

func TestRawDurations(t *testing.T) {
	o := mustFile(t, "gen-lock-hold-raw-seconds.txt", Query{Unit: "s"})
	upper(t, o, map[float64]string{0.5: "34.677ms", 0.9: "115.33ms", 0.99: "232.536ms", 0.999: "375.255ms", 0.9995: "495.149ms", 0.9999: "15s", 1: "16s"})
	if o.Dist.Count() != 10_000 || o.Unit != "s" {
		t.Errorf("%d samples in %q", o.Dist.Count(), o.Unit)
	}
	_, err := file(t, "gen-lock-hold-raw-seconds.txt", Query{})
	refused(t, err, fault.Usage, "gen-lock-hold-raw-seconds.txt:1", "0.000003s?", "--unit")
}

// Values between ranks are never interpolated: numpy's P99.9 of these 200
// would lie below the maximum.
func TestNearestRankOfRawValues(t *testing.T) {
	o := mustText(t, strings.Repeat("10\n", 199)+"500\n", Query{Unit: "ms"})
	upper(t, o, map[float64]string{0.995: "11ms", 0.999: "501ms"})
}

func TestSpellingsOfDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"1.5s": 1500 * time.Millisecond, "250ms": 250 * time.Millisecond, "1m2s": 62 * time.Second, "PT1.5S": 1500 * time.Millisecond,
		"P1DT1H": 25 * time.Hour, "00:00:01.5": 1500 * time.Millisecond, "1:02": 62 * time.Second, "12 ms": 12 * time.Millisecond,
		"3µs": 3 * time.Microsecond, "1e-3s": time.Millisecond, "2d": 48 * time.Hour, "10": 10 * time.Millisecond, "1.5e2": 150 * time.Millisecond,
	} {
		o := mustText(t, text+"\n", Query{Unit: "ms", Format: "durations"})
		if got := o.Dist.Max().Lower; got != want {
			t.Errorf("%s = %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"-1", "1,5", "1_000", "0x10", "NaN", "Inf", "1 2", "PT", "P1Y", "1::2", ":", "3 parsecs", "٣s"} {
		_, err := Read("x", strings.NewReader("1s\n"+text+"\n"), Query{Unit: "ms", Format: "durations"})
		refused(t, err, fault.Usage, "x:2")
	}
	// Half a nanosecond is a whole one: bounds round up.
	if o := mustText(t, "0.0000005\n", Query{Unit: "ms"}); o.Dist.Max().Upper != 1 || o.Dist.Max().Lower != 0 {
		t.Errorf("%v", o.Dist.Max())
	}
}

func TestHeaderAboveDurations(t *testing.T) {
	o := mustText(t, "# from psql\nhold_ms\n12\n\n15\n", Query{})
	upper(t, o, map[float64]string{0.5: "13ms", 1: "16ms"})
	_, err := text("x", "response_bytes\n12\n", Query{})
	refused(t, err, fault.Usage, "bytes")
}

func TestOnlyZeros(t *testing.T) {
	o := mustText(t, "0\n0\n", Query{Unit: "s"})
	if _, ok := has(o, "LP204"); !ok {
		t.Errorf("zeros pass: %v", o.Findings)
	}
}

func TestCSV(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		q    Query
		want string
	}{
		"unit in the header":    {"id,hold_ms,who\n1,12,a\n2,900,b\n", Query{}, "901ms"},
		"camel case":            {"id\telapsedMicros\n1\t12\n2\t900\n", Query{}, "901us"},
		"Excel in German":       {"sep=;\nid;\"Dauer (ms)\"\n1;\"12,5\"\n2;900,25\n", Query{}, "900260us"},
		"by name":               {"a,b\n1,2\n", Query{Column: "B", Unit: "s"}, "3s"},
		"by number":             {"a,b\n1,2\n", Query{Column: "2", Unit: "s"}, "3s"},
		"units in the cells":    {"a,b\n1,2s\n3,\n4,1500ms\n", Query{Column: "b"}, "2s"},
		"breaks inside a cell":  {"hold_ms,note\n3,\"x\n9,9\n\"\n4,y\n", Query{}, "5ms"},
		"quotes inside a cell":  {"note,hold_ms\n\"a \"\"b\"\", c\",3\n", Query{}, "4ms"},
		"no newline at the end": {"hold_ms,x\n3,1", Query{}, "4ms"},
	} {
		o, err := text(name, c.page, c.q)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		upper(t, o, map[float64]string{1: c.want})
	}
	for page, says := range map[string]string{
		"a,b\n1,2\n":                "--column",
		"hold_ms,wait_ms\n1,2\n":    "--column",
		"a,hold_ms\n1\n":            "x:2",
		"hold_ms,a\n1,2\nx,2\n":     "x:3",
		"hold_ms,a\n-1,2\n":         "x:2",
		"hold_ms,a\n":               "no samples",
		"size_bytes,hold\n\"1,2\n3": "--column",
	} {
		_, err := text("x", page, Query{})
		if err == nil || !strings.Contains(err.Error()+fault.HintOf(err), says) {
			t.Errorf("%q: %v, want %q", page, err, says)
		}
	}
	_, err := text("x", "a,b\n1,2\n", Query{Column: "c"})
	refused(t, err, fault.Usage, "c", "a, b")
	_, err = text("x", "a,b\n1,2\n", Query{Column: "b"})
	refused(t, err, fault.Usage, "x:2", "2ms?")
}

func TestNDJSON(t *testing.T) {
	page := "{\"ts\":1,\"lock\":{\"held_ms\":12,\"name\":\"a\"}}\n{\"ts\":2,\"lock\":{\"held_ms\":900.5}}\n{\"lock\":{\"held_ms\":null}}\n"
	o := mustText(t, page, Query{Field: "lock.held_ms"})
	upper(t, o, map[float64]string{0.5: "12100us", 1: "900600us"})
	o = mustText(t, "[{\"d\":\"1.5s\"},{\"d\":\"2s\"}]", Query{Field: "d"})
	upper(t, o, map[float64]string{1: "2s"})
	_, err := text("x", page, Query{})
	refused(t, err, fault.Usage, "--field", "lock.held_ms")
	_, err = text("x", page, Query{Field: "nope"})
	refused(t, err, fault.Usage, "nope", "lock.held_ms")
	_, err = text("x", "{\"d\":1}\n{\"d\":\n", Query{Field: "d", Unit: "s"})
	refused(t, err, fault.Usage, "x:3", "cut off")
	_, err = text("x", "{\"d\":1}\n", Query{Field: "d"})
	refused(t, err, fault.Usage, "x:1", "1ms?")
	_, err = text("x", "{\"d\":true}\n", Query{Field: "d", Unit: "s"})
	refused(t, err, fault.Usage, "x:1")
}

// The report of JMeter itself says P95 339.2 by interpolation; the nearest
// rank is 339, and whole milliseconds are cut off: below 340.
func TestJTL(t *testing.T) {
	o := mustFile(t, "jmeter-HTMLReportTestFile.jtl.csv", Query{Metric: "JR-OK"})
	if o.Dist.Count() != 252 || o.Metric != "JR-OK" {
		t.Fatalf("%d samples of %s", o.Dist.Count(), o.Metric)
	}
	all := mustFile(t, "jmeter-HTMLReportTestFile.jtl.csv", Query{Match: must(ParseMatch(`label=~".+"`))})
	upper(t, all, map[float64]string{0.9: "338ms", 0.95: "340ms", 0.99: "354ms", 1: "354ms"})
	if iv := all.Dist.Min(); all.Dist.Count() != 255 || iv.Lower != 100*time.Millisecond {
		t.Errorf("%d samples from %v", all.Dist.Count(), iv.Lower)
	}
	_, err := file(t, "jmeter-HTMLReportTestFile.jtl.csv", Query{})
	refused(t, err, fault.Usage, "--metric", "JR-OK")
	_, err = file(t, "jmeter-HTMLReportTestFile.jtl.csv", Query{Metric: "x"})
	refused(t, err, fault.Usage, "JR-OK")
	o = mustText(t, "timeStamp,elapsed,label,success\n1,0,a,true\n2,7,a,false\n", Query{})
	upper(t, o, map[float64]string{0.5: "1ms", 1: "8ms"})
	if f, ok := has(o, "LP202"); !ok || !strings.Contains(f.Message, "1 sample failed") {
		t.Errorf("failures are not told: %v", o.Findings)
	}
}

// A sample inside a sample is part of it: counted twice, the short parts
// would pull every percentile down.
func TestJTLXML(t *testing.T) {
	page := `<?xml version="1.0" encoding="UTF-8"?>
<testResults version="1.2">
<sample t="300" lb="buy &amp; pay" s="true">
  <httpSample t="100" lb="part" s="true"/><httpSample t="200" lb="a > b" s="true"><x/></httpSample>
</sample>
<httpSample t="40" lb="buy &amp; pay" s="true"/>
</testResults>
`
	o := mustText(t, page, Query{})
	upper(t, o, map[float64]string{0.5: "41ms", 1: "301ms"})
	if o.Dist.Count() != 2 || o.Metric != "buy & pay" {
		t.Errorf("%d samples of %q", o.Dist.Count(), o.Metric)
	}
	_, err := text("x", strings.TrimSuffix(page, "</testResults>\n"), Query{})
	refused(t, err, fault.Usage, "cut off")
}
