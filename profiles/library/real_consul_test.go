package library

import (
	"encoding/json"
	"io"
	"maps"
	"math"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// consulBinary builds the real Consul once.
var consulBinary = sync.OnceValues(func() (string, error) {
	source, err := filepath.Abs("../../testdata/runtimes/consul")
	if err != nil {
		return "", err
	}
	path := filepath.Join(goProbeDir, "consul")
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Dir = source
	if out, err := cmd.CombinedOutput(); err != nil {
		return string(out), err
	}
	return path, nil
})

// consulServer starts a Consul of one server.
func consulServer(t *testing.T) (addr string) {
	t.Helper()
	goProgram(t)
	binary, err := consulBinary()
	if err != nil {
		t.Fatalf("%v: %s", err, binary)
	}
	args := []string{"agent", "-dev", "-bind", "127.0.0.1", "-log-level", "err", "-dns-port", "-1", "-grpc-port", "-1"}
	ports := map[string]string{}
	for _, flag := range []string{"-http-port", "-server-port", "-serf-lan-port", "-serf-wan-port"} {
		ports[flag] = freePort(t)
		args = append(args, flag, ports[flag])
	}
	cmd := exec.Command(binary, args...)
	cmd.Dir = t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	addr = "127.0.0.1:" + ports["-http-port"]
	await(t, addr)
	for range 200 { // a session needs a leader, and the node registered
		if consulReady(addr) {
			return addr
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("Consul has no leader")
	return ""
}

// consulReady reports whether the server has a leader and its own node.
func consulReady(addr string) bool {
	r, err := http.Get("http://" + addr + "/v1/catalog/nodes")
	if err != nil {
		return false
	}
	defer r.Body.Close()
	text, _ := io.ReadAll(r.Body)
	return strings.Contains(string(text), "127.0.0.1")
}

// TestRealConsulEdges: what the Go API sends and a real server takes.
func TestRealConsulEdges(t *testing.T) {
	t.Parallel()
	set := func(pairs ...string) map[string]string { return with(map[string]string{}, pairs...) }
	addr := consulServer(t)
	sameBodies(t, goProgram(t), addr)
	once := set("held", "yes", "LockTryOnce", "true", "LockWaitTime", "1s")
	rows := edgesOf(t, "consul", "consul-edge", addr, []edge{
		{set(), takes, nil},
		{set("SessionTTL", "10s"), takes, nil},
		{set("SessionTTL", "9.999999999s"), refuses, nil},
		{set("SessionTTL", "10001ms"), takes, nil},
		{set("SessionTTL", "24h"), takes, nil},
		{set("SessionTTL", "24h0m0.000000001s"), refuses, nil},
		{set("SessionTTL", "0s"), bends, nil},
		{set("SessionTTL", "-10s"), refuses, nil},
		{set("SessionTTL", "10"), refuses, nil},
		{set("SessionTTL", "1d"), refuses, nil},
		{set("LockDelay", "0s"), bends, nil},
		{set("LockDelay", "1ns"), takes, nil},
		{set("LockDelay", "1ms"), takes, nil},
		{set("LockDelay", "1500us"), takes, nil},
		{set("LockDelay", "60s"), takes, nil},
		{set("LockDelay", "60001ms"), bends, nil},
		{set("LockDelay", "-1ns"), takes, nil},
		{set("LockWaitTime", "0s"), means, nil},
		{set("MonitorRetryTime", "0s"), means, nil},
		{once, takes, nil},
		{once, takes, nil},
		{once, takes, nil},
	})
	_, run := saidOf(t, "consul", once)
	quickest := math.Inf(1) // a busy machine is late by itself
	for _, row := range rows[len(rows)-3:] {
		between(t, "consul LockTryOnce, LockWaitTime 1 s, a held lock: gives up after, ms", row["ms"], 1000, float64(run.Own.Acquire.Milliseconds()))
		quickest = min(quickest, row["ms"].(float64))
	}
	between(t, "the quickest of them, of 1 s and a sixteenth, ms", quickest, 1000, 1200)
	want := map[string]string{"0": "", "1ns": "1ms", "999us": "1ms", "1500us": "1ms", "90s": "90000ms", "-1": "0ms"}
	delays := must(json.Marshal(slices.Collect(maps.Keys(want))))
	for _, row := range probe(t, nil, t.TempDir(), goProgram(t), "consul-sent", string(delays)) {
		if row["sent"] != want[row["delay"].(string)] {
			t.Errorf("a LockDelay of %v is sent as %q", row["delay"], row["sent"])
		}
	}
}

// TestRealConsul: a session ends at twice its TTL, a waiter comes up to five
// seconds later, and the API renews at half of the TTL and then every second.
func TestRealConsul(t *testing.T) {
	t.Parallel()
	program, addr := goProgram(t), consulServer(t)
	_, run := saidOf(t, "consul", map[string]string{"SessionTTL": "10s", "LockDelay": "1ms", "healthChecks": "false"})
	least, most := float64(run.Library.FreeMin(10*time.Second).Milliseconds()), float64(run.Library.FreeMax(10*time.Second).Milliseconds())
	rows := map[string]any{}
	for _, row := range probe(t, nil, t.TempDir(), program, "consul-free", addr) {
		rows[row["case"].(string)] = row["ms"]
	}
	between(t, "consul TTL 10 s, LockDelay 1 ms: key free after the last sign of the holder, ms", rows["crash"], least-10, most)
	between(t, "the same for a waiter of api.Lock, ms", rows["waiter"], least-10, most+1500)
	between(t, "consul LockDelay -1 ns, session destroyed: key free after, ms", rows["delay--1ns"], 0, 1000)
	between(t, "consul LockDelay 2 s, session destroyed: key free after, ms", rows["delay-2s"], 1900, 3500)
	health := probe(t, nil, t.TempDir(), program, "consul-health", addr)[0]
	between(t, "consul LockDelay 1 s, serfHealth critical, api.Lock's own session: key free after, ms", health["own_ms"], 900, 3000)
	if health["bare_lives"] != true {
		t.Error("a session of CreateNoChecks ended with the check of its node")
	}
	row := probe(t, nil, t.TempDir(), program, "consul-renew")[0]
	between(t, "consul RenewPeriodic of 2 s: gives up after the last success, ms", row["ends_ms"].(float64)-row["renewals_ms"].([]any)[1].(float64), 1900, 4000)
	for i, at := range []float64{1000, 2000, 3000, 4000} {
		between(t, "consul renewal of a session of 2 s, failing from 2.5 s on, ms", row["renewals_ms"].([]any)[i], at-50, at+900)
	}
	opts := probe(t, nil, t.TempDir(), program, "consul-opts")[0]
	between(t, "consul SessionTTL 2 s, SessionOpts.TTL 10 s: first renewal, ms", opts["first_ms"], 950, 2000)
	if opts["asked"] != "10s" {
		t.Errorf("SessionOpts of 10s ask for a session of %v", opts["asked"])
	}
	own := judged(t, "consul", "SessionTTL=2s", "SessionOpts.TTL=10s")
	if own.Run.Lease.TTL != 10*time.Second {
		t.Errorf("SessionOpts of 10s are a lease of %s to lockplan", own.Run.Lease.TTL)
	}
}

// sameBodies holds the server's reading of sessions as JSON against lockplan's.
func sameBodies(t *testing.T, program, addr string) {
	t.Helper()
	bodies := []string{
		`{"TTL":"15s"}`, `{"TTL":"15s","LockDelay":"0s"}`, `{"TTL":"15s","LockDelay":0}`, `{"TTL":"15s","LockDelay":15}`, `{"TTL":"15s","LockDelay":999}`,
		`{"TTL":"15s","LockDelay":1000}`, `{"TTL":"15s","LockDelay":5000000000}`, `{"TTL":"15s","LockDelay":"15"}`, `{"TTL":"15s","LockDelay":"500ns"}`,
		`{"TTL":15}`, `{"TTL":"15s","Checks":[]}`, `{"TTL":"15s","NodeChecks":[]}`, `{"TTL":"15s","NodeChecks":null}`, `{"TTL":"15s","Checks":["serfHealth"]}`,
		`{"TTL":"15s","Checks":["serfHealth"],"NodeChecks":[]}`, `{"TTL":"15s","NodeChecks":["serfHealth"]}`, `{"LockDelay":"5s","Behavior":"delete"}`,
	}
	lib, err := Get("consul")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range probe(t, nil, t.TempDir(), append([]string{program, "consul-body", addr}, bodies...)...) {
		body := row["body"].(string)
		t.Logf("measured: %v", row)
		values, err := Parse(lib, "session.json", []byte(body))
		run := &Running{Library: lib, In: quiet(t, lib), Values: values}
		if err == nil {
			_, err = Judge(run)
		}
		if taken := row["taken"] == true; !taken || err != nil {
			if taken == (err != nil) {
				t.Errorf("Consul takes %s: %v; lockplan: %v", body, taken, err)
			}
			continue
		}
		c := run.Library.(consul)
		delay, err := time.ParseDuration(row["delay"].(string))
		if most := min(delay, consulMost); err != nil || c.lockDelay() != most.Truncate(time.Millisecond) && most >= time.Millisecond || most == 0 && c.lockDelay() != 0 {
			t.Errorf("%s is a delay of %v to Consul, %s to lockplan", body, row["delay"], c.lockDelay())
		}
		if checks := run.Bool("healthChecks"); checks != (row["checks"] == true) {
			t.Errorf("%s hangs on checks: %v; lockplan says %v", body, row["checks"], checks)
		}
		if ttl := row["ttl"] != ""; ttl != run.HasLease {
			t.Errorf("%s has a TTL: %v; lockplan: %v", body, ttl, run.HasLease)
		}
	}
}
