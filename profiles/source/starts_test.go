package source

import (
	"fmt"
	"strings"
	"testing"
)

// A page in which every count outgrew the earlier snapshot, told as a restart
// only by what stands behind the buckets: 100 slow samples, all after it.
func TestRestartToldBehindTheBuckets(t *testing.T) {
	page := func(fast, slow int, tail string) string {
		return fmt.Sprintf("# TYPE h_seconds histogram\nh_seconds_bucket{le=\"0.1\"} %d\nh_seconds_bucket{le=\"10\"} %d\nh_seconds_bucket{le=\"+Inf\"} %[2]d\nh_seconds_count %[2]d\n%s", fast, fast+slow, tail)
	}
	for name, tails := range map[string][2]string{
		"process start": {"process_start_time_seconds 1000\n", "process_start_time_seconds 2000\n"},
		"created":       {"h_seconds_created 1000\n", "h_seconds_created 2000\n"},
		"other metric":  {"# TYPE z_total counter\nz_total 1\nprocess_start_time_seconds 1000\n", "z_total 2\nprocess_start_time_seconds 2000\n"},
	} {
		// Before: 90 slow among 90 090. The new process saw 100 among 90 100, all
		// slow ones of its own; as a difference only 10 of 10 would be left.
		before, after := page(90_000, 90, tails[0]), page(90_000, 100, tails[1])
		o, err := Read("after", strings.NewReader(after), Query{Metric: "h_seconds", Earlier: strings.NewReader(before), EarlierName: "before"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, told := has(o, "LP207"); o.Dist.Count() != 90_100 || !told {
			t.Errorf("%s: %d samples, findings %v", name, o.Dist.Count(), o.Findings)
		}
		same := page(95_000, 100, tails[0])
		o, err = Read("after", strings.NewReader(same), Query{Metric: "h_seconds", Earlier: strings.NewReader(before), EarlierName: "before"})
		if err != nil || o.Dist.Count() != 5_010 {
			t.Errorf("%s: the same process: %v %+v", name, err, o)
		}
		if _, err = Read("after", strings.NewReader(before), Query{Metric: "h_seconds", Earlier: strings.NewReader(same), EarlierName: "before"}); err == nil || !strings.Contains(err.Error(), "swapped") {
			t.Errorf("%s: swapped snapshots: %v", name, err)
		}
	}
}
