package input

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
)

// Of several inputs --unit is for those that do not say theirs: 4 000 holds up
// to 10 s by the name of the metric stay seconds beside a plain list of
// microseconds, in whatever form they come.
func TestUnitOfUnlikeInputs(t *testing.T) {
	k6 := `{"type":"Metric","data":{"name":"hold","type":"trend","contains":"time"},"metric":"hold"}` + "\n" +
		strings.Repeat(`{"metric":"hold","type":"Point","data":{"time":"2024-01-01T00:00:00Z","value":10000,"tags":{}}}`+"\n", 4000)
	otlp := `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"hold","unit":"s","histogram":{"aggregationTemporality":1,"dataPoints":[{"startTimeUnixNano":"1","timeUnixNano":"2000000000","count":"4000","sum":40000,"bucketCounts":["0","4000","0"],"explicitBounds":[1,10]}]}}]}]}]}`
	for name, c := range map[string]struct {
		text    string
		options []string
		told    bool
	}{
		"Prometheus": {histogram("h_seconds", 4000, 1, 0, 10, 4000), nil, true},
		"declared":   {"# UNIT h seconds\n" + histogram("h", 4000, 1, 0, 10, 4000) + "# EOF\n", nil, false},
		"CSV":        {"a,hold_seconds\n" + strings.Repeat("1,10.000000\n", 4000), []string{"column", "hold_seconds"}, true},
		"k6":         {k6, []string{"metric", "hold"}, false},
		"OTLP":       {otlp, nil, false},
		"a list":     {"hold_seconds\n" + strings.Repeat("10.000000\n", 4000), nil, true},
	} {
		f := files{"a": c.text, "b": strings.Repeat("900\n", 100)}
		for _, order := range [][]string{{"a", "b"}, {"b", "a"}} {
			got, err := Resolve(said(append([]string{"hold", order[0], "hold", order[1], "unit", "us", "since-start", "true"}, c.options...)...), Outside{Open: f.open})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if h := got.Inputs.Hold; h.Value != 10*s || h.Samples != 4100 {
				t.Errorf("%s: %+v", name, h)
			}
			if lo := got.Hold.Min(); lo.Lower != 900*time.Microsecond {
				t.Errorf("%s: the list begins at %v", name, lo)
			}
			if severity, told := severities(got.Findings)["LP204"]; told != c.told || told && severity != finding.Info {
				t.Errorf("%s: %v", name, got.Findings)
			}
		}
	}
}
