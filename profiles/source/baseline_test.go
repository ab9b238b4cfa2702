package source

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// The real process was scraped after a quarter of its work and after all.
func TestTwoSnapshotsOfARealProcess(t *testing.T) {
	before, err := os.Open("../../testdata/source/locks-before.prom")
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	o := mustFile(t, "locks.prom", Query{
		Metric: "lock_hold_seconds", Match: must(ParseMatch(`service="order"`)), Earlier: before, EarlierName: "locks-before.prom",
	})
	if o.Dist.Count() != 30_000 || len(o.Findings) != 0 {
		t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
	}
	upper(t, o, map[float64]string{0.999: "20s"})
}

// Classic and native buckets of the same process: the growth between the
// scrapes, once.
func TestTwoSnapshotsInProtobuf(t *testing.T) {
	before, err := os.Open("../../testdata/source/locks-before.pb")
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	o := mustFile(t, "locks.pb", Query{
		Metric: "lock_hold_seconds", Match: must(ParseMatch(`service="order"`)), Earlier: before, EarlierName: "locks-before.pb",
	})
	if o.Dist.Count() != 30_000 || len(o.Findings) != 0 {
		t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
	}
	if iv := o.Dist.Quantile(0.999); iv.Lower > 20*time.Second || iv.Upper < 17500*time.Millisecond || iv.Upper > 22*time.Second {
		t.Errorf("P99.9 %v", iv)
	}
}

// What was slow before the window must not count, and what came after a
// restart must not be hidden by the counts before it.
func TestTwoSnapshots(t *testing.T) {
	const page = "h_seconds_bucket{p=\"a\",le=\"1\"} %a\nh_seconds_bucket{p=\"a\",le=\"+Inf\"} %b\nh_seconds_sum{p=\"a\"} 9\nh_seconds_count{p=\"a\"} %b\n"
	at := func(a, b string) string { return strings.NewReplacer("%a", a, "%b", b).Replace(page) }
	read := func(earlier, later string) (*Observation, error) {
		return text("after", later, Query{Earlier: strings.NewReader(earlier), EarlierName: "before"})
	}
	o := must(read(at("10", "60"), at("110", "160")))
	upper(t, o, map[float64]string{1: "1s"})
	if o.Dist.Count() != 100 || len(o.Findings) != 0 {
		t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
	}
	// One bucket fell: the whole restarted.
	o = must(read(at("100", "100"), at("90", "150")))
	upper(t, o, map[float64]string{0.6: "1s", 0.61: "inf"})
	if f, ok := has(o, "LP207"); !ok || f.Severity != finding.Warning {
		t.Errorf("a restart is not told: %v", o.Findings)
	}
	// A pod that is new, and one that is gone.
	o = must(read(strings.ReplaceAll(at("1", "2"), "\"a\"", "\"z\""), at("90", "150")))
	if _, ok := has(o, "LP207"); !ok || o.Dist.Count() != 150 {
		t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
	}
	_, err := read(at("100", "100"), at("100", "100"))
	refused(t, err, fault.NoData, "no samples")
	_, err = read("h_seconds_bucket{le=\"1\"} 5\nh_seconds_bucket{le=\"+Inf\"} 3\n", at("100", "100"))
	refused(t, err, fault.Usage, "before:2")
	_, err = read("", at("100", "100"))
	refused(t, err, fault.NoData, "before")
}

// 5 000 samples are in no bucket, all of them new: 15 000 since, 10 000 of
// them up to 1 s.
func TestTwoSnapshotsWithSamplesInNoBucket(t *testing.T) {
	page := func(bucket, all string) string {
		return strings.NewReplacer("%b", bucket, "%c", all).Replace("h_seconds_bucket{le=\"1\"} %b\nh_seconds_bucket{le=\"+Inf\"} %b\nh_seconds_count %c\n")
	}
	since := func(later, earlier string) *Observation {
		return must(text("after", later, Query{Earlier: strings.NewReader(earlier), EarlierName: "before"}))
	}
	o := since(page("10100", "15100"), page("100", "100"))
	upper(t, o, map[float64]string{0.66: "1s", 0.67: "inf"})
	if _, ok := has(o, "LP206"); !ok || o.Dist.Count() != 15_000 {
		t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
	}
	// All of them are from before.
	o = since(page("10100", "15100"), page("100", "5100"))
	upper(t, o, map[float64]string{1: "1s"})
	if o.Dist.Count() != 10_000 || len(o.Findings) != 0 {
		t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
	}
}

// formats.md 6.1 row 14: every bucket grew past its old count, the sum or the
// count did not.
func TestRestartToldBySumAndCount(t *testing.T) {
	const before = "h_seconds_bucket{le=\"1\"} 100\nh_seconds_bucket{le=\"10\"} 200\nh_seconds_bucket{le=\"+Inf\"} 200\n"
	const after = "h_seconds_bucket{le=\"1\"} 90000\nh_seconds_bucket{le=\"10\"} 90100\nh_seconds_bucket{le=\"+Inf\"} 90100\n"
	for _, c := range [][2]string{
		{"h_seconds_sum 1000\n", "h_seconds_sum 900\n"},
		{"h_seconds_count 95000\n", "h_seconds_count 90100\n"},
	} {
		o := must(text("after", after+c[1], Query{Earlier: strings.NewReader(before + c[0]), EarlierName: "before"}))
		upper(t, o, map[float64]string{0.99: "1s", 0.999: "10s"})
		if _, ok := has(o, "LP207"); !ok || o.Dist.Count() != 90_100 {
			t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
		}
	}
}

// The page says when the counters began: at another time, so all is new.
func TestRestartToldByTheStart(t *testing.T) {
	page := func(low, all int, start string) string {
		return fmt.Sprintf(`[{"metric":{"__name__":"h_seconds_bucket","pod":"a","le":"1"},"value":[1,"%d"]},{"metric":{"__name__":"h_seconds_bucket","pod":"a","le":"+Inf"},"value":[1,"%d"]},
{"metric":{"__name__":%s]}]`, low, all, start)
	}
	created := `"h_seconds_created","pod":"a"},"value":[1,"1.%de9"`
	started := `"process_start_time_seconds","instance":"x"},"value":[1,"170000%d"`
	for _, start := range []string{created, started} {
		read := func(later, earlier string) (*Observation, error) {
			return text("after", later, Query{Earlier: strings.NewReader(earlier), EarlierName: "before"})
		}
		o := must(read(page(90_000, 90_100, fmt.Sprintf(start, 8)), page(100, 200, fmt.Sprintf(start, 7))))
		upper(t, o, map[float64]string{0.99: "1s", 0.999: "inf"})
		if f, ok := has(o, "LP207"); !ok || !strings.Contains(f.Message, "restarted") {
			t.Errorf("findings %v", o.Findings)
		}
		o = must(read(page(90_000, 90_100, fmt.Sprintf(start, 7)), page(100, 200, fmt.Sprintf(start, 7))))
		if o.Dist.Count() != 89_900 || len(o.Findings) != 0 {
			t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
		}
		// The same process with smaller counts: the wrong way round.
		_, err := read(page(100, 200, fmt.Sprintf(start, 7)), page(90_000, 90_100, fmt.Sprintf(start, 7)))
		refused(t, err, fault.Usage, "swapped", "--since")
	}
}

// Without a start a restart of all looks the same as the wrong order: told.
func TestSnapshotsThatMayBeSwapped(t *testing.T) {
	page := func(n string) string {
		return "h_seconds_bucket{le=\"1\"} " + n + "\nh_seconds_bucket{le=\"+Inf\"} " + n + "\n"
	}
	o := must(text("after", page("10"), Query{Earlier: strings.NewReader(page("20")), EarlierName: "before"}))
	idle := strings.ReplaceAll(page("7"), "{", "{pod=\"idle\",")
	if _, err := text("after", page("10")+idle, Query{Earlier: strings.NewReader(page("20") + idle), EarlierName: "before"}); err != nil {
		t.Error(err)
	}
	told := slices.ContainsFunc(o.Findings, func(f finding.Finding) bool { return strings.Contains(f.Message, "swapped") })
	if !told || o.Dist.Count() != 10 {
		t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
	}
}
