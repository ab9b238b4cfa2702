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

// Two libraries of one process measure the same name: neither may hide the
// other.
func TestOTLPScopes(t *testing.T) {
	fast := otlpLine(2, "ms", "1000000000", "3000000000", 5000, 0, 0)
	slow := otlpLine(2, "ms", "1000000000", "2000000000", 0, 10, 0)
	scoped := func(line, scope string) string {
		return strings.Replace(line, `"scopeMetrics":[{`, `"scopeMetrics":[{"scope":`+scope+`,`, 1)
	}
	page := scoped(slow, `{"name":"a"}`) + scoped(slow, `{"name":"a","version":"2"}`) + scoped(fast, `{"name":"b"}`) +
		scoped(fast, `{"name":"b","attributes":[{"key":"k","value":{"stringValue":"v"}}]}`)
	o := mustText(t, page, Query{})
	upper(t, o, map[float64]string{0.99: "100ms", 1: "1s"})
	if o.Dist.Count() != 10_020 || o.Series != 4 {
		t.Errorf("%d samples of %d series, want 10020 of 4", o.Dist.Count(), o.Series)
	}
	o = mustText(t, page, Query{Match: must(ParseMatch(`otel_scope_name="a"`))})
	if o.Dist.Count() != 20 || o.Series != 2 {
		t.Errorf("%d samples of %d series, want 20 of 2", o.Dist.Count(), o.Series)
	}
	// Who measured must be known before what was measured is filed.
	at := strings.LastIndex(fast, `]}]}]}`)
	for _, end := range []string{
		`],"scope":{"name":"a"}}]}]}`,
		`]}],"resource":{"attributes":[{"key":"a","value":{"stringValue":"b"}}]}}]}`,
	} {
		_, err := text("x", fast[:at]+end, Query{})
		refused(t, err, fault.Usage, "behind its metrics")
	}
}

// Without a start only the counts tell of a restart.
func TestOTLPWithoutStart(t *testing.T) {
	for _, start := range []string{"", "0"} {
		page := otlpLine(2, "ms", start, "2000000000", 1000, 5000, 0) + otlpLine(2, "ms", start, "3000000000", 5000, 0, 0)
		if start == "" {
			page = strings.ReplaceAll(page, `"startTimeUnixNano":"",`, "")
		}
		o := mustText(t, page, Query{})
		upper(t, o, map[float64]string{0.5: "100ms", 0.99: "1s"})
		if o.Dist.Count() != 11_000 {
			t.Errorf("%d samples, want 11000", o.Dist.Count())
		}
		// Two pods with nothing to tell them apart, in one export.
		lines := strings.SplitAfter(page, "\n")
		one := strings.TrimSuffix(lines[1], "]}\n") + "," + strings.TrimPrefix(lines[0], `{"resourceMetrics":[`)
		_, err := text("x", one, Query{})
		refused(t, err, fault.Usage, "two resources", "service.instance.id")
	}
}

// The same start and lower counts: two writers, whose points hide each other.
func TestOTLPWritersUnderOneName(t *testing.T) {
	const first, second = "2000000000", "3000000000"
	for _, c := range []struct {
		at     string
		counts [3]int
		says   string
	}{
		{second, [3]int{9, 0, 0}, "fall"},
		{second, [3]int{900, 4, 0}, "fall"},
		{first, [3]int{9, 6, 0}, "at the same time"},
	} {
		a := otlpLine(2, "ms", "1000000000", first, 9, 5, 0)
		b := otlpLine(2, "ms", "1000000000", c.at, c.counts[0], c.counts[1], c.counts[2])
		for _, page := range []string{a + b, b + a} {
			_, err := text("x", page, Query{})
			refused(t, err, fault.Usage, c.says, "service.instance.id")
		}
	}
	// A point sent again, or late, adds nothing.
	a, b := otlpLine(2, "ms", "1000000000", first, 9, 5, 0), otlpLine(2, "ms", "1000000000", second, 9, 6, 0)
	if o := mustText(t, a+b+b+a, Query{}); o.Dist.Count() != 15 {
		t.Errorf("%d samples, want 15", o.Dist.Count())
	}
}

// An exponential histogram becomes coarser as it grows: buckets 2 and 3 of
// scale 1, from 2 to 4, are bucket 1 of scale 0.
func TestOTLPCoarserScale(t *testing.T) {
	line := func(at string, count, scale, offset int, counts string) string {
		return fmt.Sprintf(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"h","unit":"s","exponentialHistogram":{"aggregationTemporality":2,"dataPoints":[{"startTimeUnixNano":"1000000000","timeUnixNano":"%s","count":"%d","scale":%d,"zeroCount":"0","positive":{"offset":%d,"bucketCounts":[%s]}}]}}]}]}]}`, at, count, scale, offset, counts) + "\n"
	}
	o := mustText(t, line("2000000000", 5, 1, 2, "2,3")+line("3000000000", 6, 0, 1, "5,1"), Query{})
	upper(t, o, map[float64]string{0.5: "4s", 1: "8s"})
	if o.Dist.Count() != 6 {
		t.Errorf("%d samples, want 6", o.Dist.Count())
	}
	_, err := text("x", line("2000000000", 5, 1, 2, "2,3")+line("3000000000", 6, 0, 1, "4,2"), Query{})
	refused(t, err, fault.Usage, "fall")
}

// A largest value outside the last filled bucket contradicts it, and narrows
// nothing.
func TestOTLPExtremes(t *testing.T) {
	with := func(extremes string, counts ...int) *Observation {
		return mustText(t, strings.Replace(otlpLine(1, "ms", "1000000000", "2000000000", counts...), `"explicitBounds"`, extremes+`,"explicitBounds"`, 1), Query{})
	}
	for _, c := range []struct {
		extremes  string
		counts    []int
		p50, most string
		clash     bool
	}{
		{`"min":20,"max":700`, []int{90, 10, 0}, "100ms", "700ms", false},
		{`"min":20,"max":70`, []int{90, 0, 0}, "70ms", "70ms", false},
		{`"max":0`, []int{90, 10, 0}, "100ms", "1s", false},
		{`"min":0,"max":0`, []int{90, 0, 0}, "100ms", "100ms", false},
		{`"max":1`, []int{90, 10, 0}, "100ms", "1s", true},
		{`"max":100`, []int{90, 10, 0}, "100ms", "1s", true},
		{`"min":120,"max":700`, []int{90, 10, 0}, "100ms", "1s", true},
		{`"min":20,"max":9000`, []int{90, 10, 0}, "100ms", "9s", true},
		{`"min":20,"max":9000`, []int{90, 10, 1}, "100ms", "9s", false},
	} {
		o := with(c.extremes, c.counts...)
		upper(t, o, map[float64]string{0.5: c.p50, 1: c.most})
		if _, ok := has(o, "LP206"); ok != c.clash {
			t.Errorf("%s with %v: findings %v", c.extremes, c.counts, o.Findings)
		}
	}
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

// An application with the JavaScript SDK recorded the same 40 holds in seconds
// and in milliseconds, and a third of each as an exponential histogram; it
// exported three times, the collector wrote what it received. Adding the
// points up would give 93 samples. By its own log the median is 8.634 ms, P90
// 27.703 ms and the longest 2008.029517 ms; in seconds the SDK's bounds put
// all of them between 0 and 5 s, of which PromQL makes P50 2.5 s.
func TestOTLPFromSDKAndCollector(t *testing.T) {
	for _, name := range []string{"otlp-js-metrics.json", "otlp-collector-metrics.json"} {
		for metric, want := range map[string]map[float64]string{
			"lock.hold":    {0.5: "2008029517ns", 1: "2008029517ns"},
			"lock.hold.ms": {0.5: "10ms", 0.9: "50ms", 1: "2008029517ns"},
			"lock.wait":    {0.5: "3284752ns", 0.9: "9290681ns", 1: "669343173ns"},
		} {
			o := mustFile(t, name, Query{Metric: metric, SinceStart: true})
			upper(t, o, want)
			if o.Dist.Count() != 40 || o.Series != 1 {
				t.Errorf("%s %s: %d samples of %d series", name, metric, o.Dist.Count(), o.Series)
			}
			if _, ok := has(o, "LP204"); ok != (metric == "lock.hold") {
				t.Errorf("%s %s: findings %v", name, metric, o.Findings)
			}
		}
	}
}

// The same application exporting growth: the points add up. The last alone would
// be 10 holds. Its log says median 12.834 ms, P90 38.942 ms, then 1210.767056
// and 2016.923768 ms.
func TestOTLPDeltaFromSDK(t *testing.T) {
	for metric, want := range map[string]map[float64]string{
		"lock.hold.ms": {0.5: "25ms", 0.9: "50ms", 1: "2016923769ns"},
		"lock.wait":    {0.5: "4645341ns", 0.9: "13139007ns", 1: "672307923ns"},
	} {
		o := mustFile(t, "otlp-js-delta-metrics.json", Query{Metric: metric})
		upper(t, o, want)
		if o.Dist.Count() != 40 || o.Series != 1 || *o.Window != 3991*time.Millisecond {
			t.Errorf("%s: %d samples of %d series over %v", metric, o.Dist.Count(), o.Series, o.Window)
		}
	}
}

func FuzzOTLP(f *testing.F) {
	fuzz(f, "otlp", Query{Unit: "s"}, "otlp-metrics-example.json", "otlp-collector-metrics.json", "otlp-js-metrics.json", "otlp-js-delta-metrics.json", otlpLine(2, "ms", "1", "2", 1, 2, 3))
}
