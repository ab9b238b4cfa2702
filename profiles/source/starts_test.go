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

// In a dump of many scrapes restarts are told by what stands beside the
// buckets, which outgrew their old counts: 50 before it and 260 after it, not
// 160. A long gap may hide another.
func TestDumpTellsRestartsAndGaps(t *testing.T) {
	dump := func(metric string, scrape int64, values ...float64) string {
		var lines strings.Builder
		for i, v := range values {
			fmt.Fprintf(&lines, metric+" %v %d.5\n", v, 1_700_000_000+int64(i)*scrape)
		}
		return lines.String()
	}
	page := func(scrape int64) string {
		return dump(`h_seconds_bucket{le="+Inf"}`, scrape, 100, 150, 260) + dump(`h_seconds_bucket{le="0.1"}`, scrape, 100, 150, 260)
	}
	for name, beside := range map[string]string{
		"sum":           dump("h_seconds_sum", 15, 50, 60, 20),
		"count":         dump("h_seconds_count", 15, 500, 600, 260),
		"created":       dump("h_seconds_created", 15, 1000, 1000, 2000),
		"process start": dump("process_start_time_seconds", 15, 1000, 1000, 2000),
	} {
		o := mustText(t, page(15)+beside, Query{})
		if o.Format != "prometheus-dump" || o.Dist.Count() != 310 || len(o.Findings) != 0 {
			t.Errorf("%s: %d samples by %s, %v", name, o.Dist.Count(), o.Format, o.Findings)
		}
	}
	o := mustText(t, page(15)+dump("h_seconds_sum", 15, 50, 60, 70), Query{})
	if o.Dist.Count() != 160 {
		t.Errorf("no restart: %d samples", o.Dist.Count())
	}
	late := strings.ReplaceAll(page(15), "1700000030.5", "1700007230.5") + strings.ReplaceAll(page(15), `{le`, `{pod="b",le`)
	if f, ok := has(mustText(t, late, Query{}), "LP207"); !ok || !strings.Contains(f.Message, "2h") {
		t.Errorf("a gap is not told: %v", f)
	}
}
