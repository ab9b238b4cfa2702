package source

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
)

// The sum of the recorded SDK's points is 3.692234571 s of 40 holds, and of its
// growth 1.402735704 + 0.376060218 + 2.141538268 s of 40: the mean of the upper
// edges would be 2 s.
func TestOTLPMeanIsOfItsSum(t *testing.T) {
	for _, c := range []struct {
		file, metric string
		want         time.Duration
	}{
		{"otlp-js-metrics.json", "lock.hold", 92_305_865},
		{"otlp-js-metrics.json", "lock.hold.ms", 92_305_865},
		{"otlp-js-delta-metrics.json", "lock.hold.ms", 98_008_355},
	} {
		o := mustFile(t, c.file, Query{Metric: c.metric, SinceStart: true})
		if o.Mean == nil || *o.Mean != c.want {
			t.Errorf("%s of %s: mean %v, want %v", c.metric, c.file, o.Mean, c.want)
		}
		if f, told := has(o, "LP206"); told {
			t.Errorf("%s of %s: %v", c.metric, c.file, f)
		}
	}
	// Without a sum there is no mean.
	if o := mustText(t, otlpLine(1, "ms", "1000000000", "2000000000", 9, 1, 0), Query{}); o.Mean != nil {
		t.Errorf("a mean of %v", o.Mean)
	}
}

// 4000 samples up to 0.1 s and 1000 up to 0.5 s sum to 900 s at most, and to
// 100 s at least.
func TestSumAgainstBuckets(t *testing.T) {
	for sum, broken := range map[string]bool{
		"9000": true, "930": true, "905": false, "899": false, "400": false, "100": false, "99.5": false, "90": true, "20": true,
	} {
		page := fmt.Sprintf("h_seconds_bucket{le=\"0.1\"} 4000\nh_seconds_bucket{le=\"0.5\"} 5000\nh_seconds_bucket{le=\"+Inf\"} 5000\nh_seconds_sum %s\nh_seconds_count 5000\n", sum)
		o := mustText(t, page, Query{SinceStart: true})
		f, told := has(o, "LP206")
		if told != broken || told && (f.Severity != finding.Error || f.Line != 1) {
			t.Errorf("sum %s: %v", sum, o.Findings)
		}
		// A factor of 1000 is told as two units, once.
		if _, unit := has(o, "LP204"); unit {
			t.Errorf("sum %s: %v", sum, o.Findings)
		}
	}
	// The open bucket has no upper end, but a lower one: 10 samples above 2 s.
	page := "h_seconds_bucket{le=\"2\"} 0\nh_seconds_bucket{le=\"+Inf\"} 10\nh_seconds_sum %d\nh_seconds_count 10\n"
	for sum, broken := range map[int]bool{15: true, 20: false, 4000: false} {
		o := mustText(t, fmt.Sprintf(page, sum), Query{SinceStart: true})
		if f, told := has(o, "LP206"); told != broken {
			t.Errorf("sum %d: %v", sum, f)
		}
	}
	delta := otlpLine(1, "ms", "1000000000", "2000000000", 9, 1, 0)
	o := mustText(t, strings.Replace(delta, `"bucketCounts"`, `"sum":4000,"bucketCounts"`, 1), Query{})
	if f, told := has(o, "LP206"); !told || f.Severity != finding.Error {
		t.Errorf("9 samples up to 0.1 s and one up to 1 s have no mean of 400 ms: %v", o.Findings)
	}
}

// A histogram without a sum, a printed digit and a whole millisecond bound the
// mean; values that are known have one.
func TestMeanIsKnownOrAbsent(t *testing.T) {
	for text, known := range map[string]bool{
		"1.000001s\n2.000001s\n": true,
		"h_seconds_bucket{le=\"0.1\"} 40\nh_seconds_bucket{le=\"+Inf\"} 40\n": false,
		"min: 0, max: 12, avg: 0.24 (1485 samples)\n":                         false,
	} {
		o := mustText(t, text, Query{SinceStart: true})
		if (o.Mean != nil) != known {
			t.Errorf("%q: mean %v", text, o.Mean)
		}
	}
}
