package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// jtlPage is a result file of n samples of each label, of which every tenth
// failed after 5 s.
func jtlPage(n int, labels ...string) string {
	var page strings.Builder
	page.WriteString("timeStamp,elapsed,label,responseCode,success,bytes\n")
	for i := range n {
		for _, label := range labels {
			elapsed, code, ok := 100+i%7, "200", true
			if i%10 == 9 {
				elapsed, code, ok = 5000, "500", false
			}
			fmt.Fprintf(&page, "175000000%04d,%d,%s,%s,%v,10\n", i, elapsed, label, code, ok)
		}
	}
	return page.String()
}

// A file that ends inside a row, wherever that is: 150 may have been 1500.
func TestJTLThatIsCutOff(t *testing.T) {
	page := jtlPage(30, "lock")
	row := "1750000009999,1500,lock,200,true,10"
	for at := 1; strings.Count(row[:at], ",") < 5; at++ {
		for _, q := range []Query{{}, {Metric: "lock"}, {Match: must(ParseMatch(`label=~".*"`))}} {
			_, err := text("x", page+row[:at], q)
			refused(t, err, fault.Usage, "x:32", "cell")
		}
	}
	if o := mustText(t, page+row, Query{}); o.Dist.Count() != 31 {
		t.Errorf("%d samples of 31", o.Dist.Count())
	}
	// A table that ends with half of the value.
	table := "id,hold_ms,host\n1,5,a\n2,1"
	_, err := text("x", table, Query{})
	refused(t, err, fault.Usage, "x:3", "cut off")
	for _, page := range []string{"id,hold_ms,host\n1,5,a\n2,1,\n", "id,hold_ms,host\n1,5,a\n2,1,b", "id,hold_ms\n1,5\n2,1"} {
		if o := mustText(t, page, Query{}); o.Dist.Count() != 2 {
			t.Errorf("%q: %d samples", page, o.Dist.Count())
		}
	}
}

// Calls that failed and were left out are told, as hey's and oha's are.
func TestJTLWithoutItsFailures(t *testing.T) {
	page := jtlPage(320, "lock")
	o := mustText(t, page, Query{Match: must(ParseMatch(`success="true"`))})
	f, told := has(o, "LP202")
	if o.Dist.Count() != 288 || !told || f.Severity != finding.Warning || !strings.Contains(f.Message, "32 failed samples are left out by --match") {
		t.Errorf("%d samples, %v", o.Dist.Count(), o.Findings)
	}
	for _, match := range []string{`success="false"`, `label="lock"`} {
		o := mustText(t, page, Query{Match: must(ParseMatch(match))})
		for _, f := range o.Findings {
			if strings.Contains(f.Message, "left out") {
				t.Errorf("%s: %v", match, f)
			}
		}
	}
	// Those of another label were never asked for.
	o = mustText(t, jtlPage(320, "lock", "other"), Query{Match: must(ParseMatch(`label="lock",success="true"`))})
	if f, _ := has(o, "LP202"); !strings.Contains(f.Message, "32 failed samples are left out") {
		t.Errorf("%v", o.Findings)
	}
}

// JMeter's own example: JR-KO and JR-OK together are not JR-OK.
func TestJTLOfSeveralLabelsIsNamedByAll(t *testing.T) {
	all := Query{Match: must(ParseMatch(`label=~".*"`))}
	if o := mustFile(t, "jmeter-HTMLReportTestFile.jtl.csv", all); o.Metric != "JR-KO, JR-OK" || o.Dist.Count() != 255 {
		t.Errorf("%d samples of %q", o.Dist.Count(), o.Metric)
	}
	if o := mustFile(t, "jmeter-HTMLReportTestFile.jtl.csv", Query{Metric: "JR-OK"}); o.Metric != "JR-OK" {
		t.Errorf("%q", o.Metric)
	}
	if o := mustText(t, jtlPage(9, "a", "b", "c", "d"), all); o.Metric != "4 labels" || o.Dist.Count() != 36 {
		t.Errorf("%q", o.Metric)
	}
}

// Samples and intervals that have no name, beside such that have one.
func TestWithoutName(t *testing.T) {
	page := jtlPage(20, "", "lock")
	_, err := text("x", page, Query{})
	refused(t, err, fault.Usage, "several labels", `""`)
	if o := mustText(t, page, Query{NoName: true}); o.Dist.Count() != 20 || o.Metric != "" {
		t.Errorf("%d samples of %q", o.Dist.Count(), o.Metric)
	}
	var log strings.Builder
	for line := range strings.Lines(string(recordedFile(t, "hdr-2.2.hlog"))) {
		log.WriteString(line)
		if line[0] != '#' && line[0] != '"' {
			log.WriteString("Tag=B," + line)
		}
	}
	alone := mustFile(t, "hdr-2.2.hlog", Query{Unit: "us"}).Dist.Count()
	_, err = text("x", log.String(), Query{Unit: "us"})
	refused(t, err, fault.Usage, "several tags")
	for _, q := range []Query{{Unit: "us", NoName: true}, {Unit: "us", Metric: "B"}} {
		if o := mustText(t, log.String(), q); o.Dist.Count() != alone {
			t.Errorf("%q: %d samples, want %d", q.Metric, o.Dist.Count(), alone)
		}
	}
	_, err = text("x", "1s\n2s\n", Query{NoName: true})
	refused(t, err, fault.Usage, "--metric")
}
