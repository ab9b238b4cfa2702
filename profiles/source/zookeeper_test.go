package source

import (
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// A ZooKeeper 3.9 with the Prometheus provider and a 3.8 without, both stopped
// for 1.3 s while 400 writes were under way. Their own stat and srvr print
// "Latency min/avg/max: 0/79.1617/1347" and "0/534.4972/2114"; the requests are
// timed in whole milliseconds, also where the answer is "1347.0", which read
// as a decimal would be up to 1347.1 ms.
func TestZooKeeperServers(t *testing.T) {
	for name, want := range map[string]time.Duration{
		"zookeeper-3.9-mntr.txt":     1348 * time.Millisecond,
		"zookeeper-3.9-monitor.json": 1348 * time.Millisecond,
		"zookeeper-3.9-metrics.prom": 1348 * time.Millisecond,
		"zookeeper-3.9-stat.txt":     1348 * time.Millisecond,
		"zookeeper-3.8-mntr.txt":     2115 * time.Millisecond,
		"zookeeper-3.8-srvr.txt":     2115 * time.Millisecond,
	} {
		o := mustFile(t, name, Query{Measures: RTT})
		if len(o.Claims) != 1 || o.Claims[0] != (Claim{1, want}) || o.Measures != RTT || o.Format != "zookeeper" {
			t.Errorf("%s: %v of %s by %s", name, o.Claims, o.Measures, o.Format)
		}
		if _, ok := has(o, "LP208"); !ok {
			t.Errorf("%s: that it is the server's time is not told: %v", name, o.Findings)
		}
	}
}

// The page's other metrics are read by name: whole milliseconds, although
// nothing on the page says so. It prints 47 and 319.
func TestZooKeeperPageByName(t *testing.T) {
	o := mustFile(t, "zookeeper-3.9-metrics.prom", Query{Metric: "updatelatency"})
	claims(t, o, map[float64]string{0.5: "48ms", 0.99: "320ms"})
	if o.Unit != "ms" {
		t.Errorf("in %s", o.Unit)
	}
	_, err := file(t, "zookeeper-3.9-mntr.txt", Query{Metric: "zk_max_proposal_latency"})
	refused(t, err, fault.Usage, "longest latency", "page")
	_, err = file(t, "zookeeper-3.9-metrics.prom", Query{Measures: Pause})
	refused(t, err, fault.NoData, "jvm_gc_collection_seconds")
}

// Several answers in one file: the largest bounds them all.
func TestZooKeeperAnswers(t *testing.T) {
	for _, content := range []string{
		"zk_max_latency\t900\nzk_max_latency\t5\n",
		"Latency min/avg/max: 0/1/900\nLatency min/avg/max: 0/0/5\n",
		`{"max_latency":900.0,"outstanding_requests":0}` + "\n" + `{"outstanding_requests":0,"max_latency":5.0}`,
	} {
		if o := mustText(t, content, Query{}); o.Claims[0].Value != 901*time.Millisecond || o.Series != 2 {
			t.Errorf("%q: %v of %d servers", content, o.Claims, o.Series)
		}
	}
	_, err := text("x", "zk_max_latency\tNaN\n", Query{})
	refused(t, err, fault.Usage, "x:1", "NaN")
}

func FuzzZooKeeper(f *testing.F) {
	fuzz(f, "zookeeper", Query{}, "zookeeper-3.9-mntr.txt", "zookeeper-3.9-monitor.json", "zookeeper-3.9-metrics.prom", "zookeeper-3.8-srvr.txt", "zk_max_latency\t12\n", `{"max_latency":9,"outstanding_requests":0}`)
}
