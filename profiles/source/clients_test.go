package source

import (
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
)

// A page of VictoriaMetrics' own client, whose buckets hold what lies between
// their edges only. The program that wrote it knows the values: P50 4.793 ms,
// P90 11.303 ms, P99 1.2042 s, P99.9 1.28698 s, longest 45.2 s.
func TestVictoriaMetricsClient(t *testing.T) {
	o := mustFile(t, "vmrange.prom", Query{SinceStart: true})
	for q, truth := range map[float64]time.Duration{0.5: 4_793_216, 0.9: 11_302_604, 0.99: 1_204_199_357, 0.999: 1_286_983_229, 1: 45_200_000_000} {
		// A bucket is a 18th of a decade wide.
		if iv := o.Dist.Quantile(q); iv.Lower > truth || iv.Upper < truth || float64(iv.Upper) > 1.14*float64(iv.Lower) {
			t.Errorf("P%v in %v, want %v", q*100, iv, truth)
		}
	}
	if o.Dist.Count() != 2000 {
		t.Errorf("%d samples", o.Dist.Count())
	}
}

// Micrometer's buckets end at 28.6 s and 30 s: the three holds of 45.5, 46.2
// and 46.9 s among 2 000 are in none, and its _max decays. PromQL says P99.9
// 30 s.
func TestMicrometer(t *testing.T) {
	o := mustFile(t, "micrometer.prom", Query{SinceStart: true})
	upper(t, o, map[float64]string{0.998: "1431655765ns", 0.999: "inf", 1: "inf"})
	if o.Dist.Count() != 2000 {
		t.Errorf("%d samples", o.Dist.Count())
	}
	_, err := file(t, "micrometer.prom", Query{Measures: Pause})
	refused(t, err, fault.NoData, "jvm_gc_pause_seconds", "safepoint")
}

// prom-client of a process that stood for 700 ms: its gauge of the delay right
// now says 0, its collections took at most 100 ms.
func TestPromClient(t *testing.T) {
	o := mustFile(t, "prom-client.prom", Query{Measures: Pause, SinceStart: true})
	claims(t, o, map[float64]string{0.99: "50954239ns", 1: "724041727ns"})
	if o.longest() < 700*time.Millisecond {
		t.Errorf("longest %v", o.longest())
	}
	o = mustFile(t, "prom-client.prom", Query{Metric: "lock_hold_seconds", SinceStart: true})
	upper(t, o, map[float64]string{0.5: "5ms", 0.99: "250ms", 1: "1s"})
}

// A member of three etcds of which another was stopped three times: what it
// times of its two peers is one distribution, and its mean, 18 ms, no bound.
// Its fsyncs are another metric.
func TestEtcd(t *testing.T) {
	o := mustFile(t, "etcd.prom", Query{Measures: RTT, SinceStart: true})
	upper(t, o, map[float64]string{0.5: "800us", 0.75: "800us", 0.8: "51200us", 1: "204800us"})
	if o.Metric != "etcd_network_peer_round_trip_time_seconds" || o.Dist.Count() != 16 || o.Series != 2 {
		t.Errorf("%d samples of %d series of %s", o.Dist.Count(), o.Series, o.Metric)
	}
	o = mustFile(t, "etcd.prom", Query{Metric: "etcd_disk_wal_fsync_duration_seconds", SinceStart: true})
	if o.Dist.Count() == 0 || o.Dist.Max().Upper == dist.Inf {
		t.Errorf("%d fsyncs up to %v", o.Dist.Count(), o.Dist.Max())
	}
}

// promtool tsdb dump of seven scrapes, three of locks-before.prom and four of
// locks.prom: 40 000 less 10 000 holds, not the 40 000 of the last scrape and
// not the 190 000 of all. The percentiles are those of the two pages.
func TestTSDBDump(t *testing.T) {
	o := mustFile(t, "tsdb-dump.txt", Query{})
	if o.Dist.Count() != 30_000 || o.Format != "prometheus-dump" {
		t.Errorf("%d samples by %s", o.Dist.Count(), o.Format)
	}
	before := mustFile(t, "locks-before.prom", Query{Metric: "lock_hold_seconds", Match: must(ParseMatch(`service="order"`)), SinceStart: true})
	after := mustFile(t, "locks.prom", Query{Metric: "lock_hold_seconds", Match: must(ParseMatch(`service="order"`)), SinceStart: true})
	counts := make(map[time.Duration]uint64)
	for b := range after.Dist.All() {
		counts[b.Hi] += b.Count
	}
	for b := range before.Dist.All() {
		counts[b.Hi] -= b.Count
	}
	for b := range o.Dist.All() {
		if counts[b.Hi] != b.Count {
			t.Errorf("%d samples up to %v, want %d", b.Count, b.Hi, counts[b.Hi])
		}
	}
}

// The stopped times of JDK 11, in the words of JDK 7 and 8, counted by grep.
// The longest stop of Parallel was 218.4399 ms; its Pause lines, of which there
// are more than stops, say 134.146 ms.
func TestJDK11StoppedTimes(t *testing.T) {
	for name, c := range map[string]struct {
		stops   uint64
		longest string
	}{
		"jdk11-g1.log":       {66, "70031us"},
		"jdk11-parallel.log": {68, "218440us"},
	} {
		o := mustFile(t, name, Query{Measures: Pause})
		if o.Dist.Count() != c.stops || o.Format != "jvm" {
			t.Errorf("%s: %d stops by %s, want %d", name, o.Dist.Count(), o.Format, c.stops)
		}
		upper(t, o, map[float64]string{1: c.longest})
	}
}

// The same 2 000 holds by three releases of HdrHistogram, each with the payload
// of its time, and as a table: by sort the ranks 1 000, 1 980 and 1 998 are
// 4 797, 1 218 263 and 1 294 704 us, the longest 45.2 s.
func TestHdrHistogramReleases(t *testing.T) {
	truth := map[float64]time.Duration{0.5: 4_797_000, 0.99: 1_218_263_000, 0.999: 1_294_704_000, 1: 45_200_000_000}
	for name, unit := range map[string]string{"hdr-1.2.hlog": "us", "hdr-2.0.hlog": "us", "hdr-2.2.hlog": "us", "hdr-2.2.hgrm": "ms"} {
		o := mustFile(t, name, Query{Unit: unit})
		if o.Dist.Count() != 2000 {
			t.Errorf("%s: %d samples", name, o.Dist.Count())
		}
		for q, want := range truth {
			// Three digits; the table's rows are further apart.
			if got := o.Dist.Quantile(q).Upper; got < want || float64(got) > 1.01*float64(want) {
				t.Errorf("%s: P%v up to %v, want %v", name, q*100, got, want)
			}
		}
	}
}

// 21 of 30 periods were throttled; throttled_time adds up processors.
func TestCPUStatOfKernel(t *testing.T) {
	_, err := file(t, "cpu-stat-v1.txt", Query{Measures: Pause})
	refused(t, err, fault.NoData, "no longest stop", "--pause")
}

// 100 calls of curl, by jq; and 98 that oha wrote, by sort.
func TestCallsAsRecords(t *testing.T) {
	o := mustFile(t, "curl.ndjson", Query{Field: "time_total_s"})
	upper(t, o, map[float64]string{0.5: "14436us", 0.9: "54858us", 0.98: "1208061us"})
	if o.Dist.Count() != 100 || o.Unit != "s" {
		t.Errorf("%d samples in %s", o.Dist.Count(), o.Unit)
	}
	o = mustFile(t, "oha.csv", Query{Column: "request-duration", Unit: "s"})
	upper(t, o, map[float64]string{0.5: "5643269ns", 1: "1225805474ns"})
	if o.Dist.Count() != 98 || o.Dist.Max().Upper == dist.Inf {
		t.Errorf("%d samples", o.Dist.Count())
	}
}
