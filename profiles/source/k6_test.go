package source

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// k6 prints P99.9 of 200 samples as 42.713289; the 200th is 43.169853.
func TestK6SummaryOfARealRun(t *testing.T) {
	o := mustFile(t, "gen-k6-summary-export.json", Query{Metric: "lock_hold"})
	upper(t, o, map[float64]string{0.999: "43.169853ms", 1: "43.169853ms"})
	if o.Dist.Count() != 200 || o.Unit != "ms" {
		t.Errorf("%d samples in %s", o.Dist.Count(), o.Unit)
	}
	_, err := file(t, "gen-k6-summary-export.json", Query{})
	refused(t, err, fault.Usage, "--metric", "lock_hold")
	_, err = file(t, "gen-k6-summary-export.json", Query{Metric: "nope"})
	refused(t, err, fault.Usage, "lock_hold")
}

// One run, four outputs. Sorted by Python: P99 is 37.51213993090901 ms, P99.9
// the largest; k6 prints 37.526398 and 41.809555.
func TestK6OutputsOfOneRun(t *testing.T) {
	for name, want := range map[string]map[float64]string{
		"k6-points.json":  {0.5: "6083725ns", 0.99: "37512140ns", 0.999: "42522973ns"},
		"k6-points.csv":   {0.5: "6083725ns", 0.99: "37512141ns", 0.999: "42522973ns"}, // six digits
		"k6-summary.json": {0.5: "6102987ns", 0.99: "37526399ns", 0.999: "42522973ns"},
	} {
		o := mustFile(t, name, Query{Metric: "lock_hold"})
		if o.Dist.Count() != 200 {
			t.Errorf("%s: %d samples", name, o.Dist.Count())
		}
		upper(t, o, want)
	}
	// The newest layout leaves out the count that was asked for.
	o := mustFile(t, "k6-summary-new.json", Query{Metric: "lock_hold"})
	if o.Dist != nil || len(o.Claims) != 4 {
		t.Errorf("claims %v", o.Claims)
	}
}

// Ten samples 1 … 10 ms, summarised as k6 does: P95 is 9.55 between the 9th
// and the 10th. At most 9 are known to be at or below it.
func TestK6Layouts(t *testing.T) {
	figures := `"count":10,"avg":5.5,"min":1,"med":5.5,"max":10,"p(90)":9.1,"p(95)":9.55`
	for name, page := range map[string]string{
		"export": `{"metrics":{"x":{` + figures + `}}}`,
		"handle": `{"root_group":{"name":""},"metrics":{"x":{"type":"trend","contains":"time","values":{` + figures + `}}}}`,
		"newest": `{"config":{},"results":{"metrics":[{"name":"x","type":"trend","contains":"time","values":{` + strings.NewReplacer("p(90)", "p90", "p(95)", "p95").Replace(figures) + `}}]}}`,
	} {
		o, err := text(name, page, Query{Metric: "x"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		upper(t, o, map[float64]string{0.5: "5.5ms", 0.9: "9.1ms", 0.95: "10ms", 1: "10ms"})
	}
	o := mustText(t, `{"metrics":{"x":{"min":1,"med":5.5,"max":10,"p(95)":9.55}}}`, Query{Metric: "x"})
	if o.Dist != nil || o.Claims[len(o.Claims)-1] != (Claim{1, 10 * time.Millisecond}) {
		t.Errorf("claims %v", o.Claims)
	}
	_, err := text("x", `{"metrics":{"x":{"type":"trend","contains":"data","values":{`+figures+`}}}}`, Query{Metric: "x"})
	refused(t, err, fault.Usage, "bytes")
}

func TestK6Points(t *testing.T) {
	page := `{"type":"Metric","data":{"name":"lock_hold","type":"trend","contains":"time","submetrics":null},"metric":"lock_hold"}
{"metric":"lock_hold","type":"Point","data":{"time":"2026-11-30T12:00:00Z","value":12.5,"tags":{"a":"b"}}}
{"metric":"vus","type":"Point","data":{"time":"2026-11-30T12:00:00Z","value":9000,"tags":null}}
{"metric":"lock_hold","type":"Point","data":{"time":"2026-11-30T12:00:01Z","value":900,"tags":{}}}
`
	o := mustText(t, page, Query{Metric: "lock_hold"})
	upper(t, o, map[float64]string{0.5: "12.5ms", 1: "900ms"})
	_, err := text("x", page, Query{})
	refused(t, err, fault.Usage, "lock_hold")
	o = mustText(t, "metric_name,timestamp,metric_value,check\nlock_hold,1,12.500000,\nvus,1,3.000000,\nlock_hold,1,900.000000,\n", Query{Metric: "lock_hold"})
	upper(t, o, map[float64]string{1: "900.000001ms"})
}

func FuzzK6Summary(f *testing.F) {
	fuzz(f, "k6-summary", Query{Metric: "x"}, `{"metrics":{"x":{"count":10,"min":1,"med":5.5,"max":10,"p(95)":9.55}}}`)
}

func FuzzK6Points(f *testing.F) {
	fuzz(f, "k6-json", Query{Metric: "x"}, `{"metric":"x","type":"Point","data":{"value":12.5}}`)
}

func FuzzK6CSV(f *testing.F) {
	fuzz(f, "k6-csv", Query{Metric: "x"}, "metric_name,timestamp,metric_value\nx,1,2.000\n")
}
