package source

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// claims checks percentiles that a tool printed; each is at most one unit of
// its last digit above the print.
func claims(t *testing.T, o *Observation, want map[float64]string) {
	t.Helper()
	if o.Dist != nil || len(o.Claims) < len(want) {
		t.Errorf("claims %v", o.Claims)
	}
	for _, c := range o.Claims {
		if text, ok := want[c.Q]; ok && c.Value != duration(t, text) {
			t.Errorf("P%v = %v, want %s", c.Q*100, c.Value, text)
		}
	}
}

// The exact values were sorted by Python. vegeta's own report says P99
// 87.711815 ms by its digest.
func TestVegeta(t *testing.T) {
	o := mustFile(t, "vegeta.json", Query{})
	if o.Format != "vegeta" || o.Dist.Count() != 300 {
		t.Errorf("%s: %d samples", o.Format, o.Dist.Count())
	}
	upper(t, o, map[float64]string{0.5: "46766516ns", 0.9: "57907670ns", 0.99: "87657841ns", 1: "131961300ns"})
	claims(t, mustFile(t, "vegeta-report.json", Query{}), map[float64]string{0.5: "47107377ns", 0.99: "87711816ns", 1: "131961301ns"})
	o = mustText(t, `{"attack":"","latency":5,"error":"refused"}`+"\n", Query{})
	if _, ok := has(o, "LP202"); !ok {
		t.Errorf("failures are not told: %v", o.Findings)
	}
}

// hey prints four digits: up to 0.1 ms are cut off.
func TestHey(t *testing.T) {
	claims(t, mustFile(t, "hey.txt", Query{}), map[float64]string{0.5: "48ms", 0.99: "66.1ms", 1: "69.6ms"})
	o := mustFile(t, "hey.csv", Query{})
	if o.Dist.Count() != 300 || o.Format != "hey-csv" {
		t.Errorf("%d samples by %s", o.Dist.Count(), o.Format)
	}
	upper(t, o, map[float64]string{0.5: "48ms", 0.9: "56ms", 0.99: "64.2ms", 1: "72.2ms"})
	// hey -n 100 against a server of which 5 requests got no answer wrote 95 rows.
	if f, ok := has(o, "LP202"); !ok || !strings.Contains(f.Message, "without an answer") {
		t.Errorf("%v", o.Findings)
	}
}

// The longest stands in another table than the percentiles.
func TestWrk(t *testing.T) {
	claims(t, mustFile(t, "wrk.txt", Query{}), map[float64]string{0.5: "48ms", 0.99: "75.39ms", 1: "76.06ms"})
}

// A timeout is no fast sample: the figures of those that answered say nothing
// of it. The counts are those that the tools printed.
func TestFailuresAreTold(t *testing.T) {
	for name, want := range map[string]string{
		"hey-failures.txt":            "15 requests", // [503] 10, 5 beyond the deadline
		"wrk-failures.txt":            "44 requests", // timeout 12, Non-2xx or 3xx 32
		"vegeta-report-failures.json": "30 requests", // success 0.85 of 200
	} {
		o := mustFile(t, name, Query{})
		if f, ok := has(o, "LP202"); !ok || f.Severity != finding.Warning || !strings.HasPrefix(f.Message, want+" failed") {
			t.Errorf("%s: %v", name, o.Findings)
		}
		if o.Claims[0].Q == 0 { // "0% in 0.0000 secs": hey had too few
			t.Errorf("%s: %v", name, o.Claims)
		}
		if last := o.Claims[len(o.Claims)-1]; last.Q > 0.963 || last.Q < 0.94 {
			t.Errorf("%s: the longest answer is P%v of all, although 5 %% or 12 of 316 got none", name, last.Q*100)
		}
	}
	// The same run record by record: 10 of 200 were given up after a second. The
	// longest of the others by Python: 11 846 172 ns.
	o := mustFile(t, "vegeta-failures.json", Query{})
	upper(t, o, map[float64]string{0.95: "11846172ns", 0.955: "inf"})
	for _, name := range []string{"hey.txt", "wrk.txt", "vegeta-report.json"} {
		for _, f := range mustFile(t, name, Query{}).Findings {
			if f.Severity > finding.Info {
				t.Errorf("%s: %v", name, f)
			}
		}
	}
}

// Percentiles of two runs cannot be merged: the larger bounds both.
func TestRunsInOneFile(t *testing.T) {
	for _, name := range []string{"hey.txt", "wrk.txt"} {
		page, err := os.ReadFile("../../testdata/source/" + name)
		if err != nil {
			t.Fatal(err)
		}
		one := mustText(t, string(page), Query{})
		slow := strings.NewReplacer("0.0479 secs", "9.0000 secs", "   47.99ms", "   9.0s").Replace(string(page))
		for _, both := range []string{string(page) + slow, slow + string(page)} {
			o := mustText(t, both, Query{})
			if len(o.Claims) != len(one.Claims) {
				t.Errorf("%s: %v", name, o.Claims)
			}
			claims(t, o, map[float64]string{0.5: map[string]string{"hey.txt": "9.0001s", "wrk.txt": "9.1s"}[name]})
			if f, ok := has(o, "LP205"); !ok || !slices.ContainsFunc(o.Findings, func(f finding.Finding) bool { return f.Severity == finding.Warning }) {
				t.Errorf("%s: %v", name, f)
			}
		}
	}
}

// Nanoseconds in the details; the histogram's marks would be seconds.
func TestGhz(t *testing.T) {
	o := mustText(t, `{"date":"x","options":{},"count":3,"slowest":9000000,"latencyDistribution":[{"percentage":99,"latency":5000000}],"histogram":[{"mark":0.009,"count":1}],"details":[{"latency":1000000,"error":""},{"latency":5000000,"error":"deadline"},{"latency":9000000,"error":""}]}`, Query{})
	upper(t, o, map[float64]string{0.5: "5ms", 1: "9ms"})
	if _, ok := has(o, "LP202"); !ok {
		t.Errorf("failures are not told: %v", o.Findings)
	}
	o = mustText(t, `{"count":3,"slowest":9000000,"latencyDistribution":[{"percentage":99,"latency":5000000}]}`, Query{})
	claims(t, o, map[float64]string{0.99: "5000001ns", 1: "9000001ns"})
}

func TestSpans(t *testing.T) {
	page := `{"data":[{"traceID":"1","spans":[{"operationName":"lock","duration":1500,"startTime":1},{"operationName":"sql","duration":9}]},{"traceID":"2","spans":[{"operationName":"lock","duration":900000}]}]}`
	o := mustText(t, page, Query{Operation: "lock"})
	upper(t, o, map[float64]string{0.5: "1501us", 1: "900001us"})
	if _, ok := has(o, "LP202"); !ok || o.Format != "jaeger" {
		t.Errorf("%s: sampling is not told: %v", o.Format, o.Findings)
	}
	_, err := text("x", page, Query{})
	refused(t, err, fault.Usage, "--operation", "lock, sql")
	otlp := `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"lock","startTimeUnixNano":"1000","endTimeUnixNano":"1500001000"}]}]}]}` + "\n"
	o = mustText(t, otlp+otlp, Query{Operation: "lock"})
	upper(t, o, map[float64]string{1: "1.5s"})
	if o.Dist.Count() != 2 || o.Format != "otlp-spans" {
		t.Errorf("%d spans by %s", o.Dist.Count(), o.Format)
	}
	_, err = text("x", strings.Replace(otlp, "1500001000", "1", 1), Query{})
	refused(t, err, fault.Usage, "x:1", "negative")
}

// A real run of 3 s: the last row of the table is 99 us, the longest delay
// 87 630 us, among 107 that were longer than the table.
func TestCyclictest(t *testing.T) {
	o := mustFile(t, "cyclictest.txt", Query{Measures: Pause})
	if o.Format != "cyclictest" || o.Measures != Pause || o.Dist.Max().Upper != 87_631*time.Microsecond {
		t.Errorf("%s of %s: longest %v", o.Format, o.Measures, o.Dist.Max())
	}
	if o.Dist.Count() != 3063 {
		t.Errorf("%d samples", o.Dist.Count())
	}
	_, err := text("x", "# Histogram\n000001 000009\n", Query{})
	refused(t, err, fault.Usage, "cut off")
}

// Throttled time is a sum over processors: no stop comes of it.
func TestCFSIsRefused(t *testing.T) {
	_, err := text("cpu.stat", "usage_usec 9\nnr_periods 100\nnr_throttled 7\nthrottled_usec 90000000\n", Query{Measures: Pause})
	refused(t, err, fault.NoData, "cpu.stat", "--pause")
}

func FuzzVegeta(f *testing.F)       { fuzz(f, "vegeta", Query{}, "vegeta.json") }
func FuzzVegetaReport(f *testing.F) { fuzz(f, "vegeta-report", Query{}, "vegeta-report.json") }
func FuzzHey(f *testing.F)          { fuzz(f, "hey", Query{}, "hey.txt") }
func FuzzWrk(f *testing.F)          { fuzz(f, "wrk", Query{}, "wrk.txt") }
func FuzzGhz(f *testing.F) {
	fuzz(f, "ghz", Query{}, "ghz.json", `{"count":3,"latencyDistribution":[{"percentage":99,"latency":5}],"details":[{"latency":1}]}`)
}
func FuzzJaeger(f *testing.F) {
	fuzz(f, "jaeger", Query{Operation: "lock.hold"}, "jaeger.json", `{"data":[{"spans":[{"operationName":"lock.hold","duration":1500,"tags":[{"key":"error","value":true}]}]}]}`)
}
func FuzzOTLPSpans(f *testing.F) {
	fuzz(f, "otlp-spans", Query{Operation: "lock.hold"}, "otlp-collector-traces.json", "otlp-js-traces.json", "jaeger-v3.json", `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"lock.hold","startTimeUnixNano":"1","endTimeUnixNano":"2","status":{"code":2}}]}]}]}`)
}
func FuzzCyclictest(f *testing.F) { fuzz(f, "cyclictest", Query{}, "cyclictest.txt") }
