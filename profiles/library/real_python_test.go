package library

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// pythonProgram is how to run the Python probe: in the environment that
// install.sh makes, else with whatever Python has redis-py.
func pythonProgram(t *testing.T) []string {
	t.Helper()
	need(t, "python3")
	dir := runtimes(t, "python")
	python := filepath.Join(dir, ".venv", "bin", "python3")
	if _, err := os.Stat(python); err != nil {
		python = "python3"
	}
	if err := exec.Command(python, "-c", "import redis").Run(); err != nil {
		without(t, "redis-py is not installed")
	}
	return []string{python, filepath.Join(dir, "probe.py")}
}

// TestRealRedisPy: it takes what emit wrote with the same numbers, and its
// leases, waits and frozen calls are as lockplan says.
func TestRealRedisPy(t *testing.T) {
	t.Parallel()
	command, addr := pythonProgram(t), redisServer(t)
	emitted := t.TempDir()
	fits := map[string]Fitted{}
	var files []string
	for service, fit := range grid(t, "redis-py") {
		path := emitTo(t, emitted, fit, service, "py")
		files, fits[filepath.Base(path)] = append(files, path), fit
	}
	seen := 0
	for _, row := range probe(t, nil, emitted, append(append(command, "values"), files...)...) {
		fit := fits[row["service"].(string)]
		seen++
		for _, key := range []string{"timeout", "sleep", "blocking_timeout", "socket_timeout", "socket_connect_timeout"} {
			if want, given := fit.setting(t, key); given && fmt.Sprint(row[key]) != Decimal.Format(want) {
				t.Errorf("%v: %s is %v to redis-py, emitted as %s", row["service"], key, row[key], want)
			}
		}
		if raw, _ := (code{fit: fit}).Raw("retries"); fmt.Sprint(row["retries"]) != raw {
			t.Errorf("%v: retries is %v, emitted as %s", row["service"], row["retries"], raw)
		}
	}
	if seen != len(fits) {
		t.Errorf("%d of %d plans were looked at", seen, len(fits))
	}
	lib, err := Get("redis-py")
	if err != nil {
		t.Fatal(err)
	}
	row := probe(t, nil, emitted, append(command, "defaults")...)[0]
	// Every try, every connection and every back-off: the lock itself has no limit.
	tries, delays := row["retries"].(float64)+1, row["retries"].(float64)*row["retry_backoff_cap"].(float64)
	connects := row["retries"].(float64) * (tries*row["socket_connect_timeout"].(float64) + delays)
	worst := time.Duration(tries*row["socket_timeout"].(float64)+delays+connects) * time.Second
	v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"timeout": {Text: "10"}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("measured: redis-py by default: %v", row)
	if v.Run.Effective["command"] != f(worst) || v.Run.Effective["retries"] != fmt.Sprint(row["retries"]) || row["timeout"] != nil || row["blocking_timeout"] != nil || fmt.Sprint(row["sleep"]) != "0.1" {
		t.Errorf("by default redis-py has %v, at worst %s; lockplan has %v", row, worst, v.Run.Effective)
	}
	for _, row := range probe(t, nil, emitted, append(command, "edges", addr, "None", "0", "0.0005", "0.0009", "0.001", "0.0019", "0.5", "1", "2.5", "86400")...) {
		text := row["timeout"].(string)
		values := Values{"socket_timeout": {Text: "1"}}
		if text != "None" {
			values["timeout"] = Value{Text: text}
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
		if err != nil {
			t.Fatal(err)
		}
		left, _ := row["pttl_ms"].(float64)
		t.Logf("measured: redis-py timeout=%s: taken %v, PTTL %v", text, row["taken"], row["pttl_ms"])
		expires := row["taken"] == true && left != -1
		if expires == has(v, "LP560") {
			t.Errorf("redis-py timeout=%s expires: %v; lockplan: %v", text, expires, v.Findings)
		}
		if want := v.Consequences.TTL; expires && left > 100 && (left > float64(want.Milliseconds()) || left < float64(want.Milliseconds())-200) {
			t.Errorf("redis-py timeout=%s leaves %v ms, lockplan says %s", text, left, want)
		}
	}
	for _, row := range probe(t, nil, emitted, append(command, "clients", addr, "socket_timeout", "-1", "socket_timeout", "0.05", "socket_timeout", "5",
		"sleep", "0", "sleep", "-0.1", "sleep", "0.01", "blocking_timeout", "0", "blocking_timeout", "0.05", "retries", "0", "retries", "3")...) {
		key, text := row["key"].(string), row["text"].(string)
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"timeout": {Text: "10"}, key: {Text: text}}})
		if refused := err != nil || has(v, "LP561"); refused == (row["taken"] == true) {
			t.Errorf("redis-py takes %s=%s: %v; lockplan calls it an error: %v (%v)", key, text, row, refused, err)
		}
	}
	rows := probe(t, nil, emitted, append(command, "wait", addr, "0.3", "1")...)
	between(t, "redis-py blocking_timeout 1s, sleep 0.3: gives up after, ms", rows[0]["ms"], 600, 2500)
	rows = probe(t, nil, emitted, append(command, "extend", addr)...)
	between(t, "redis-py extend(10) of a lock of 10s leaves, ms", rows[0]["added_ms"], 19000, 20000)
	between(t, "redis-py the fifth extend(10) of a lock of 10s leaves, ms", rows[0]["fifth_ms"], 58000, 60000)
	held := judged(t, "redis-py", "timeout=10", "reacquire_every=0.001", "extend_replaces_ttl=false", "socket_timeout=1", "--max-hold=5ms")
	if want := 59995 * time.Millisecond; *held.Consequences.FreeMax != want {
		t.Errorf("five extends of 10s, 1 ms apart, leave %s to lockplan, not %s", held.Consequences.FreeMax, want)
	}
	between(t, "redis-py reacquire() leaves, ms", rows[0]["reacquired_ms"], 9000, 10000)
	for i, row := range probe(t, nil, emitted, append(command, "unanswered", "None", "0", "0.3")...) {
		least, most := []float64{-1, 0, 290}[i], []float64{-1, 200, 1500}[i]
		between(t, "redis-py socket_timeout "+row["text"].(string)+", a command that is never answered, ms (-1: for ever)", row["ms"], least, most)
	}
	for _, row := range probe(t, nil, emitted, append(command, "vanished", addr, "0.3", "0.5", "2", "0.1")...) {
		// 3 x 500 ms + 2 x 100 ms to connect, of which a connection that stood needs two beside 300 ms and 2 x 100 ms.
		least, most := 1700.0, 3500.0
		if row["stood"] == true {
			least, most = 3900, float64(redisPyWorst(300*time.Millisecond, 500*time.Millisecond, 2, 100*time.Millisecond).Milliseconds())+1000
		}
		between(t, fmt.Sprintf("redis-py acquire of a server that vanished, a connection stood: %v, ms", row["stood"]), row["ms"], least, most)
	}
	proxy := newFreezer(t, addr)
	rows = probe(t, proxy, emitted, append(command, "frozen", proxy.addr, "0.3", "2", "0.1")...)
	between(t, "redis-py acquire on a frozen server, (2 + 1) x 300 ms + 2 x 100 ms, ms", rows[0]["ms"], 1050, 4000)
}

// TestRealRedisPyVersions: the defaults of older versions, their leases and a
// frozen call.
func TestRealRedisPyVersions(t *testing.T) {
	t.Parallel()
	command := pythonProgram(t)
	for version, artifact := range map[string]string{"5.2": "5.2.1", "6.4": "6.4.0", "7.0": "7.0.1"} {
		packages := filepath.Join(runtimes(t, "python"), ".venv", "redis-"+artifact)
		if _, err := os.Stat(packages); err != nil {
			without(t, "redis-py %s is not installed", artifact)
		}
		run, addr := append([]string{"env", "PYTHONPATH=" + packages}, command...), redisServer(t)
		name := "redis-py@" + version
		row := probe(t, nil, t.TempDir(), append(run, "defaults")...)[0]
		t.Logf("measured: %s by default: %v", name, row)
		if row["version"] != artifact || row["socket_timeout"] != nil || row["socket_connect_timeout"] != nil || row["timeout"] != nil || row["blocking_timeout"] != nil {
			t.Errorf("%s by default: %v", name, row)
		}
		ours, theirs := judged(t, name, "timeout=10", "socket_timeout=1"), judged(t, name, "timeout=10", "socket_timeout=1",
			fmt.Sprintf("retries=%v", row["retries"]), fmt.Sprintf("retry_backoff_cap=%v", row["retry_backoff_cap"]), fmt.Sprintf("sleep=%v", row["sleep"]))
		if a, b := ours.Run.Effective, theirs.Run.Effective; a["retries"] != b["retries"] || a["command"] != b["command"] || ours.Run.Setup.RetryDelay.Value != theirs.Run.Setup.RetryDelay.Value {
			t.Errorf("%s by default is %v to lockplan; with what is real it is %v", name, a, b)
		}
		if severityOf(judged(t, name, "timeout=10"), "LP561") == "" {
			t.Errorf("%s: lockplan knows of a socket_timeout", name)
		}
		for _, row := range probe(t, nil, t.TempDir(), append(run, "edges", addr, "None", "0", "0.0009", "0.001", "1")...) {
			left, _ := row["pttl_ms"].(float64)
			t.Logf("measured: %s timeout=%v: taken %v, PTTL %v", name, row["timeout"], row["taken"], row["pttl_ms"])
			settings := []string{"socket_timeout=1"}
			if row["timeout"] != "None" {
				settings = append(settings, "timeout="+row["timeout"].(string))
			}
			if expires := row["taken"] == true && left != -1; expires == (severityOf(judged(t, name, settings...), "LP560") == "error") {
				t.Errorf("%s timeout=%v expires: %v; lockplan says the other", name, row["timeout"], expires)
			}
		}
		proxy := newFreezer(t, addr)
		rows := probe(t, proxy, t.TempDir(), append(run, "frozen", proxy.addr, "0.3", "2", "0.1")...)
		least := 1050.0
		if version == "5.2" { // its Retry is for a connection, not for a timeout, and lockplan counts it all the same
			least = 290
		}
		between(t, name+" acquire on a frozen server, (2 + 1) x 300 ms + 2 x 100 ms, ms", rows[0]["ms"], least, 4000)
	}
}
