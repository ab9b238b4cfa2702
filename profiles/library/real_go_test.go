package library

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// goProbe builds testdata/runtimes/go once, with what emit writes for the grid
// compiled in, and returns the program and what was emitted.
var goProbe = sync.OnceValues(func() (string, error) {
	source, err := filepath.Abs("../../testdata/runtimes/go")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "lockplan-probe-*")
	if err != nil {
		return "", err
	}
	goProbeDir = dir
	files, err := filepath.Glob(filepath.Join(source, "*"))
	if err != nil {
		return "", err
	}
	for _, from := range files {
		text, err := os.ReadFile(from)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(from)), text, 0o644); err != nil {
			return "", err
		}
	}
	for name, text := range goProbeEmitted {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("go", "build", "-o", "probe", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return filepath.Join(dir, "probe"), nil
})

var (
	goProbeMu      sync.Mutex
	goProbeDir     string
	goProbeEmitted map[string]string
	goProbeFits    map[string]Fitted
)

// TestMain removes the program that goProbe built.
func TestMain(m *testing.M) {
	code := m.Run()
	if goProbeDir != "" {
		os.RemoveAll(goProbeDir)
	}
	os.Exit(code)
}

// goProgram is the probe, with what emit writes compiled in.
func goProgram(t *testing.T) string {
	t.Helper()
	need(t, "go")
	slow(t) // the clients take minutes to build
	goProbeMu.Lock()
	if goProbeEmitted == nil {
		goProbeEmitted, goProbeFits = emitGo(t)
	}
	goProbeMu.Unlock()
	program, err := goProbe()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// emitGo writes every Go library's grid as source, and a file that names each
// function.
func emitGo(t *testing.T) (files map[string]string, fits map[string]Fitted) {
	files, fits = map[string]string{}, map[string]Fitted{}
	var wire strings.Builder
	wire.WriteString("package main\n\nimport (\n\t\"time\"\n\n\t\"lockplan.test/runtimes/locks\"\n)\n\nfunc init() {\n")
	for _, name := range []string{"redsync", "redislock", "go-redis", "rueidislock", "etcd", "client-go", "consul", "go-zookeeper"} {
		for service, fit := range grid(t, name) {
			text, err := Render(fit, service, "go", "")
			if err != nil {
				t.Fatal(err)
			}
			files["locks/"+strings.ReplaceAll(service, "-", "_")+"_lock.go"] = text
			fits[service] = fit
			id := identifier(service)
			switch name {
			case "redsync":
				fmt.Fprintf(&wire, "\tredsyncs[%q] = locks.%sOptions\n\tclients[%q] = locks.%sClient\n", service, id, service, id)
			case "redislock":
				fmt.Fprintf(&wire, "\tredislocks[%q] = locks.%sOptions\n\tclients[%q] = locks.%sClient\n", service, id, service, id)
			case "go-redis":
				fmt.Fprintf(&wire, "\tclients[%q] = locks.%sClient\n\tdurations[%q] = map[string]time.Duration{\"ttl\": locks.%sTTL}\n", service, id, service, id)
			case "rueidislock":
				fmt.Fprintf(&wire, "\tlockers[%q] = locks.%sLocker\n", service, id)
			case "etcd":
				fmt.Fprintf(&wire, "\tsessions[%q] = locks.%sSession\n", service, id)
			case "client-go":
				fmt.Fprintf(&wire, "\telections[%q] = locks.%sElection\n", service, id)
			case "consul":
				fmt.Fprintf(&wire, "\tconsuls[%q] = locks.%sLock\n", service, id)
			case "go-zookeeper":
				fmt.Fprintf(&wire, "\tdurations[%q] = map[string]time.Duration{\"sessionTimeout\": locks.%sSessionTimeout}\n", service, id)
			}
		}
	}
	wire.WriteString("}\n")
	files["grid.go"] = wire.String()
	return files, fits
}

// TestRealGoValues: each Go library understands of what emit wrote just what
// emit meant.
func TestRealGoValues(t *testing.T) {
	program := goProgram(t)
	seen := map[string]bool{}
	for _, row := range probe(t, nil, t.TempDir(), program, "values", freePort(t)) {
		service := row["service"].(string)
		fit := goProbeFits[service]
		seen[service] = true
		for key, got := range row {
			if key == "service" {
				continue
			}
			if key == "taken" {
				if got != true {
					t.Errorf("%s: the library refuses it", service)
				}
				continue
			}
			raw, _ := code{fit: fit}.setting(key)
			spec, _ := fit.Library.Sheet().Key(key)
			want := any(raw.Text)
			switch {
			case raw.Text == "":
				continue // not emitted: the library's default
			case key == "ttl" && fit.Library.Name() == "etcd", spec.Unit == Count:
				got, want = fmt.Sprint(got), raw.Text
			case key == "SessionTTL":
				d, _ := fit.setting(t, key)
				parsed, err := time.ParseDuration(fmt.Sprint(got))
				got, want = parsed, d
				if err != nil {
					t.Error(err)
				}
			case spec.Unit == Factor: // printed in billionths
				var share float64
				fmt.Sscan(raw.Text, &share)
				got, want = fmt.Sprintf("%.9f", got.(float64)/1e9), fmt.Sprintf("%.9f", share)
			case spec.Unit == Switch:
				got = fmt.Sprint(got)
			default:
				d, _ := fit.setting(t, key)
				got, want = time.Duration(got.(float64)), d
			}
			if got != want {
				t.Errorf("%s: %s is %v to the library, emitted as %v", service, key, got, want)
			}
		}
	}
	for service := range goProbeFits {
		if !seen[service] && !strings.Contains(service, "redislock") {
			t.Errorf("%s was not compared", service)
		}
	}
}

// TestRealRedsync: without ContextTimeoutEnabled a try on a frozen server
// takes all of go-redis' retries; with it, expiry x timeoutFactor for the
// acquire and again for the clean-up.
func TestRealRedsync(t *testing.T) {
	t.Parallel()
	program := goProgram(t)
	for _, c := range []struct {
		honoured    string
		least, most float64
	}{{"true", 390, 3500}, {"false", 4000, 40000}} {
		proxy := newFreezer(t, redisServer(t))
		rows := probe(t, proxy, t.TempDir(), program, "redsync-try", proxy.addr, c.honoured)
		between(t, "redsync TryLock on a frozen server, ContextTimeoutEnabled "+c.honoured+", ms", rows[0]["ms"], c.least, c.most)
	}
}

// TestRealRedislock: without a deadline the ttl ends the wait; what is below a
// millisecond leaves no lock.
func TestRealRedislock(t *testing.T) {
	t.Parallel()
	program, addr := goProgram(t), redisServer(t)
	rows := probe(t, nil, t.TempDir(), program, "redislock-wait", addr)
	between(t, "redislock Obtain with a ttl of 1s and no deadline, ms", rows[0]["ms"], 900, 3000)
	for _, row := range probe(t, nil, t.TempDir(), program, "redislock-tiny", addr) {
		ttl, err := time.ParseDuration(row["ttl"].(string))
		if err != nil {
			t.Fatal(err)
		}
		left := row["pttl_ms"].(float64)
		held := row["error"] == false && left > 0
		t.Logf("measured: redislock ttl %s: error %v, PTTL %v ms", ttl, row["error"], left)
		if whole := ttl.Truncate(time.Millisecond); whole >= 100*time.Millisecond && (left > float64(whole.Milliseconds()) || left < float64(whole.Milliseconds())-200) {
			t.Errorf("a ttl of %s leaves %v ms", ttl, left)
		} else if whole == 0 && held {
			t.Errorf("a ttl of %s leaves a lock of %v ms", ttl, left)
		}
	}
}

// TestRealRueidislock: the lock's context ends up to an ExtendInterval after
// the lease on a frozen server, and tracking of its own keys makes a held lock
// renew without pause.
func TestRealRueidislock(t *testing.T) {
	t.Parallel()
	program, addr := goProgram(t), redisServer(t)
	proxy := newFreezer(t, addr)
	rows := probe(t, proxy, t.TempDir(), program, "rueidis-late", proxy.addr)
	between(t, "rueidislock KeyValidity 2s, ExtendInterval 1s: context ends after the last renewal, ms", rows[0]["after_renewal_ms"], 2000, 5000)
	looped := probe(t, nil, t.TempDir(), program, "rueidis-storm", addr, "false")
	quiet := probe(t, nil, t.TempDir(), program, "rueidis-storm", addr, "true")
	between(t, "rueidislock commands in 2s of holding, NoLoopTracking false", looped[0]["calls"], 1000, 1e9)
	between(t, "rueidislock commands in 2s of holding, NoLoopTracking true", quiet[0]["calls"], 0, 100)
}

// TestRealClientGo: the edges of client-go's own validation, where a leader
// that lost the API server stops, and what the record keeps of a fraction.
func TestRealClientGo(t *testing.T) {
	t.Parallel()
	program := goProgram(t)
	edges := []string{
		"15s", "10s", "2s", "10s", "10s", "2s", "10001ms", "10s", "2s", "30s", "11s", "10s", "30s", "12s", "10s", "30s", "12001ms", "10s",
		"1s", "1s", "1s", "3s", "2s", "1s", "0s", "10s", "2s", "15s", "0s", "2s", "15s", "10s", "0s", "2s", "1s", "1ms", "900ms", "800ms", "100ms",
	}
	lib, err := Get("client-go")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range probe(t, nil, t.TempDir(), append([]string{program, "client-go-edge"}, edges...)...) {
		run := &Running{Library: lib, In: quiet(t, lib), Values: Values{"leaseDuration": {Text: row["lease"].(string)}, "renewDeadline": {Text: row["renew"].(string)}, "retryPeriod": {Text: row["retry"].(string)}}}
		v, err := Judge(run)
		if err != nil {
			t.Fatal(err)
		}
		refused := has(v, "LP640") || has(v, "LP641")
		if refused == (row["taken"] == true) {
			t.Errorf("client-go takes %v/%v/%v: %v; lockplan calls it an error: %v", row["lease"], row["renew"], row["retry"], row["taken"], refused)
		}
	}
	rows := probe(t, nil, t.TempDir(), program, "client-go-stop")
	between(t, "client-go renewDeadline 2s, retryPeriod 1s: stops after the last success, ms", rows[0]["after_success_ms"], 2500, 5000)
	between(t, "client-go stores a leaseDuration of 4.9s as, s", rows[0]["stored_seconds"], 4, 4)
}

// TestRealEtcd: what the server grants below its least lease, which timers it
// takes, that a leader change starts a lease anew, and when Done comes.
func TestRealEtcd(t *testing.T) {
	t.Parallel()
	program := goProgram(t)
	lib, err := Get("etcd")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range probe(t, nil, t.TempDir(), program, "etcd-edge", freePort(t), "1", "2", "3", "60", "9000000000", "9000000001") {
		values := Values{}
		if asked, isTTL := row["asked"]; isTTL {
			values["ttl"] = Value{Text: fmt.Sprintf("%.0f", asked)}
		} else {
			values["heartbeat-interval"], values["election-timeout"] = Value{Text: fmt.Sprint(row["heartbeat"])}, Value{Text: fmt.Sprint(row["election"])}
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
		if err != nil {
			if row["error"] != true {
				t.Errorf("%v: %v", row, err)
			}
			continue
		}
		t.Logf("measured: etcd %v", row)
		switch {
		case row["taken"] != nil && has(v, "LP601") == (row["taken"] == true):
			t.Errorf("etcd says %v, lockplan %v", row, v.Findings)
		case row["error"] == true && !has(v, "LP600"):
			t.Errorf("etcd refuses %v, lockplan does not say so", row)
		case row["granted"] != nil && v.Run.Effective["ttl"] != fmt.Sprintf("%.0f", row["granted"]):
			t.Errorf("etcd grants %v, lockplan says %s", row, v.Run.Effective["ttl"])
		}
	}
	rows := probe(t, nil, t.TempDir(), program, "etcd-regrant", freePort(t))
	between(t, "etcd lease of 10s after 4s, left", rows[0]["left_before"], 4, 6)
	between(t, "the same lease after a leader change, left", rows[0]["left_after"], 9, 11)
	for _, row := range probe(t, nil, t.TempDir(), program, "etcd-expiry", freePort(t)) {
		between(t, "etcd lease of 2s that nobody renews, key gone after, ms", row["gone_ms"], 2000, 4500)
	}
	port := freePort(t)
	proxy := newFreezer(t, "127.0.0.1:"+port)
	rows = probe(t, proxy, t.TempDir(), program, "etcd-done", port, proxy.addr)
	between(t, "etcd session of 3s, Done after the freeze, ms", rows[0]["after_freeze_ms"], 1500, 6000)
}

// TestRealConsul: the Go API leaves a lock delay of 0 out of the request.
func TestRealConsul(t *testing.T) {
	t.Parallel()
	program := goProgram(t)
	lib, err := Get("consul")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range probe(t, nil, t.TempDir(), program, "consul-edge") {
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"LockDelay": {Text: row["delay"].(string)}}})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("measured: consul LockDelay %v: sent %v", row["delay"], row["sent"])
		if lost := row["sent"] == false; lost && !has(v, "LP621") {
			t.Errorf("a lock delay of %v is not sent, and lockplan does not say so", row["delay"])
		}
	}
}

// TestRealZooKeeper: how the server clamps a session, when it lets a frozen
// client's node go, and when that client hears of it.
func TestRealZooKeeper(t *testing.T) {
	t.Parallel()
	program := goProgram(t)
	addr := zooKeeperServer(t, 1000)
	lib, err := Get("go-zookeeper")
	if err != nil {
		t.Fatal(err)
	}
	asked := []string{"500ms", "1999ms", "2s", "2001ms", "5s", "19999ms", "20s", "20001ms", "60s", "1s"}
	for _, row := range probe(t, nil, t.TempDir(), append([]string{program, "zk-clamp", addr}, asked...)...) {
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"sessionTimeout": {Text: row["asked"].(string)}, "tickTime": {Text: "1000"}}})
		if err != nil {
			t.Fatal(err)
		}
		if granted := time.Duration(row["granted_ms"].(float64)) * time.Millisecond; *v.Consequences.TTL != granted {
			t.Errorf("asked for %v: the server grants %s, lockplan says %s", row["asked"], granted, *v.Consequences.TTL)
		}
	}
	proxy := newFreezer(t, addr)
	rows := probe(t, proxy, t.TempDir(), program, "zk-expiry", proxy.addr, addr, "4s")
	between(t, "ZooKeeper session of 4s, tick 1s: node gone after the last touch, ms", rows[0]["gone_ms"], 4000, 7500)
	between(t, "the same, go-zookeeper disconnected after, ms", rows[0]["disconnected_ms"], 1300, 5000)
}

// TestRealGoRedis: one command on a frozen server stays below what every try
// and every back-off would take; a new connection that hangs in its handshake
// ends it earlier.
func TestRealGoRedis(t *testing.T) {
	t.Parallel()
	program := goProgram(t)
	proxy := newFreezer(t, redisServer(t))
	rows := probe(t, proxy, t.TempDir(), program, "goredis-frozen", proxy.addr, "6")
	lib, err := Get("go-redis")
	if err != nil {
		t.Fatal(err)
	}
	v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"ttl": {Text: "30s"}, "ReadTimeout": {Text: "1s"}}})
	if err != nil {
		t.Fatal(err)
	}
	between(t, "go-redis SET on a frozen server, ReadTimeout 1s, ms", rows[0]["ms"], 950, float64(v.Consequences.Call.Milliseconds()))
}
