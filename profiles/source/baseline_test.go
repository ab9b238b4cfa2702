package source

import (
	"os"
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
