package source

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
)

// A collector that stops for 10 ms and a loop that stood for 5.2 s are on one
// page: the renewing timer waits for both.
func TestLongestPauseMetricCounts(t *testing.T) {
	page := `# TYPE nodejs_gc_duration_seconds histogram
nodejs_gc_duration_seconds_bucket{kind="major",le="0.01"} 4000
nodejs_gc_duration_seconds_bucket{kind="major",le="+Inf"} 4000
# TYPE nodejs_eventloop_lag_max_seconds gauge
nodejs_eventloop_lag_max_seconds 5.2
`
	o := mustText(t, page, Query{Measures: Pause, SinceStart: true})
	if o.Metric != eventLoop || o.longest() != 5200*time.Millisecond {
		t.Errorf("%s up to %v", o.Metric, o.longest())
	}
	o = mustText(t, strings.Replace(page, " 5.2", " 0.005", 1), Query{Measures: Pause, SinceStart: true})
	if o.Metric != "nodejs_gc_duration_seconds" || o.longest() != 10*time.Millisecond {
		t.Errorf("%s up to %v", o.Metric, o.longest())
	}
	// What has no end is longer than anything.
	o = mustText(t, strings.Replace(page, `le="+Inf"} 4000`, `le="+Inf"} 4001`, 1), Query{Measures: Pause, SinceStart: true})
	if o.Metric != "nodejs_gc_duration_seconds" {
		t.Errorf("%s up to %v", o.Metric, o.longest())
	}
}

// The summary forgets: it said 2.4 ms where a stop had taken more than 117 ms.
func TestRecentMaximumIsTold(t *testing.T) {
	page := "# TYPE go_gc_duration_seconds summary\ngo_gc_duration_seconds{quantile=\"0\"} 1e-05\ngo_gc_duration_seconds{quantile=\"1\"} 0.0024\n"
	for _, q := range []Query{{Measures: Pause}, {Measures: Pause, Metric: goCycles}} {
		o := mustText(t, page, q)
		if f, ok := has(o, "LP208"); !ok || f.Severity != finding.Warning || f.Line != 2 {
			t.Errorf("%v", o.Findings)
		}
	}
}
