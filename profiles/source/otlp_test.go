package source

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// The example of opentelemetry-proto. Unit "1" is no duration. Bucket index 2
// of scale 0 is (4, 8] and the largest value is 5: read with Prometheus'
// indexing it would be (2, 4], below the truth.
func TestOTLPExample(t *testing.T) {
	_, err := file(t, "otlp-metrics-example.json", Query{})
	refused(t, err, fault.Usage, "my.histogram", "my.exponential.histogram")
	_, err = file(t, "otlp-metrics-example.json", Query{Metric: "my.exponential.histogram"})
	refused(t, err, fault.Usage, "--unit")
	o := mustFile(t, "otlp-metrics-example.json", Query{Metric: "my.exponential.histogram", Unit: "s"})
	if o.Dist.Count() != 3 {
		t.Errorf("%d samples", o.Dist.Count())
	}
	if iv := o.Dist.Max(); iv.Lower != 4*time.Second || iv.Upper != 5*time.Second {
		t.Errorf("longest %v, want (4s, 5s]", iv)
	}
	o = mustFile(t, "otlp-metrics-example.json", Query{Metric: "my.histogram", Unit: "s"})
	upper(t, o, map[float64]string{0.5: "1s", 1: "2s"})
	if o.Dist.Count() != 2 {
		t.Errorf("%d samples", o.Dist.Count())
	}
}

func otlpLine(temporality int, unit, start, at string, counts ...int) string {
	total := 0
	for _, n := range counts {
		total += n
	}
	return fmt.Sprintf(`{"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"a"}}]},"scopeMetrics":[{"metrics":[{"name":"lock.hold","unit":"%s","histogram":{"dataPoints":[{"startTimeUnixNano":"%s","timeUnixNano":"%s","count":"%d","bucketCounts":["%d","%d","%d"],"explicitBounds":[100,1000]}],"aggregationTemporality":%d}}]}]}]}`,
		unit, start, at, total, counts[0], counts[1], counts[2], temporality) + "\n"
}

// Adding cumulative points counts samples twice; taking one delta point for
// the whole forgets the others. Both are silent.
func TestOTLPTemporality(t *testing.T) {
	delta := otlpLine(1, "ms", "1000000000", "2000000000", 9, 0, 0) + otlpLine(1, "ms", "2000000000", "3000000000", 0, 1, 0)
	o := mustText(t, delta, Query{})
	upper(t, o, map[float64]string{0.9: "100ms", 1: "1s"})
	if o.Dist.Count() != 10 || *o.Window != 2*time.Second || len(o.Findings) != 0 {
		t.Errorf("%d samples in %v, %v", o.Dist.Count(), o.Window, o.Findings)
	}
	total := otlpLine(2, "ms", "1000000000", "2000000000", 9, 0, 0) + otlpLine(2, "ms", "1000000000", "3000000000", 9, 1, 0)
	o = mustText(t, total, Query{})
	if o.Dist.Count() != 10 {
		t.Errorf("%d samples", o.Dist.Count())
	}
	// A restart has a start of its own.
	o = mustText(t, total+otlpLine(2, "ms", "4000000000", "5000000000", 0, 0, 2), Query{})
	upper(t, o, map[float64]string{1: "inf"})
	if o.Dist.Count() != 12 {
		t.Errorf("%d samples", o.Dist.Count())
	}
	_, err := text("x", otlpLine(0, "ms", "1", "2", 1, 1, 1), Query{})
	refused(t, err, fault.Usage, "temporality")
	o = mustText(t, delta, Query{Match: must(ParseMatch(`service.name="a"`))})
	if o.Series != 1 {
		t.Errorf("%d series", o.Series)
	}
	_, err = text("x", delta, Query{Match: must(ParseMatch(`service.name="b"`))})
	refused(t, err, fault.Usage, "--match")
}

// The SDK's default bounds with seconds: PromQL says P99.9 is 4.995, whatever
// the data.
func TestOTLPDefaultBounds(t *testing.T) {
	page := strings.NewReplacer(`["9","0","0"]`, `["0","9","0","0","0","0","0","0","0","0","0","0","0","0","0","0"]`,
		`[100,1000]`, `[0,5,10,25,50,75,100,250,500,750,1000,2500,5000,7500,10000]`).Replace(otlpLine(1, "s", "1", "2", 9, 0, 0))
	o := mustText(t, page, Query{})
	if f, ok := has(o, "LP204"); !ok || !strings.Contains(f.Message, "5ms") {
		t.Errorf("findings %v", o.Findings)
	}
}

func FuzzOTLP(f *testing.F) {
	fuzz(f, "otlp", Query{Unit: "s"}, "otlp-metrics-example.json", otlpLine(2, "ms", "1", "2", 1, 2, 3))
}
