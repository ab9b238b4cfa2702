package library

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
)

// TestRealSpring runs SpringProbe on the class path of a Spring Boot
// application.
func TestRealSpring(t *testing.T) {
	t.Parallel()
	run := append(javac(t, jarsOf(t, "java/spring"), []string{"SpringProbe", "RedissonProbe"}, nil), "SpringProbe")
	for name, test := range map[string]func(*testing.T, []string){
		"boot": springBoot, "nested": springNested, "edges": springEdges, "waits": springWaits, "frozen": springFrozen,
		"renewal": springRenewal, "shedlock": springShedLock,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, slices.Clip(run))
		})
	}
}

// springBoot: Spring Boot reads what emit wrote, as properties, YAML
// and environment, and makes a client and a registry with the same numbers.
func springBoot(t *testing.T, run []string) {
	dir := t.TempDir()
	fits := map[string]Fitted{}
	var files []string
	for service, fit := range grid(t, "spring-integration") {
		for _, form := range []string{"properties", "yaml"} {
			path := emitTo(t, dir, fit, service, form)
			files, fits[filepath.Base(path)] = append(files, path), fit
		}
	}
	rows := probe(t, nil, dir, append(append(run, "boot"), files...)...)
	for service, fit := range grid(t, "spring-integration") { // one process an environment
		path := emitTo(t, dir, fit, service, "env")
		row := probe(t, nil, dir, append([]string{"sh", "-c", `set -a; . "$0"; exec "$@"`, path}, append(run, "environment")...)...)[0]
		row["service"] = filepath.Base(path)
		rows, fits[filepath.Base(path)] = append(rows, row), fit
		break
	}
	if len(rows) != len(fits) {
		t.Errorf("%d of %d files were looked at", len(rows), len(fits))
	}
	for _, row := range rows {
		sameNumbers(t, fits[row["service"].(string)], row)
	}
}

// shellStyle is the file with a placeholder that Spring reads otherwise.
const shellStyle = "shell.yaml"

// springNested: the Redisson text nested in an application.yaml gives
// the starter the numbers that check reads there.
func springNested(t *testing.T, run []string) {
	dir := t.TempDir()
	lib, err := Get("redisson@3.52")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for service, fit := range grid(t, "redisson@3.52") {
		own, err := Render(fit, service, "yaml", "lazyInitialization: true\nsingleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n")
		if err != nil {
			t.Fatal(err)
		}
		texts[service+".yaml"] = "spring:\n  redis:\n    redisson:\n      config: |\n" + indent(own, "        ")
	}
	for name, watchdog := range map[string]string{"colon.yaml": "${LOCKPLAN_NO_SUCH:21000}", shellStyle: "${LOCKPLAN_NO_SUCH:-21000}"} {
		texts[name] = "spring:\n  redis:\n    redisson:\n      config: |\n        lazyInitialization: true\n        lockWatchdogTimeout: " + watchdog +
			"\n        singleServerConfig:\n          address: \"redis://127.0.0.1:1\"\n          timeout: 700\n          retryAttempts: 2\n"
	}
	var files []string
	for name, text := range texts {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	rows := probe(t, nil, dir, append(append(run, "nested"), files...)...)
	if len(rows) != len(texts) {
		t.Errorf("%d of %d files were looked at", len(rows), len(texts))
	}
	for _, row := range rows {
		name := row["service"].(string)
		values, err := Parse(lib, name, []byte(texts[name]))
		if err != nil {
			t.Fatal(err)
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
		if err != nil {
			t.Fatal(err)
		}
		shell := slices.ContainsFunc(v.Findings, func(f finding.Finding) bool { return f.ID == "LP505" && f.Line == 6 })
		if shell != (name == shellStyle) || shell && row["lockWatchdogTimeout"] != -21000.0 {
			t.Errorf("%s: lockWatchdogTimeout is %v to Redisson; %v", name, row["lockWatchdogTimeout"], v.Findings)
		}
		for _, key := range []string{"timeout", "retryAttempts", "lockWatchdogTimeout"} {
			if shell && key == "lockWatchdogTimeout" {
				continue
			}
			if want := v.Run.Effective[key]; fmt.Sprint(row[key]) != want {
				t.Errorf("%s: %s is %v to Redisson, %s to check", name, key, row[key], want)
			}
		}
	}
}

func indent(text, by string) string {
	return by + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+by) + "\n"
}

// springEdges: Spring takes the durations, leases and lock types that
// lockplan takes, as the same values, and no others.
func springEdges(t *testing.T, run []string) {
	lib, err := Get("spring-integration")
	if err != nil {
		t.Fatal(err)
	}
	judge := func(key, text string) (v Verdict, err error) {
		return Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{key: {Text: text}}})
	}
	durations := "10s,10S,10,PT10S,pt2s,PT1.5S,P1D,1d,1h,5ms,5us,5ns,+3s,0,1m30s,1.5s,2w,10 s,P1W,soon,1_000"
	types, leases := "SPIN_LOCK,PUB_SUB_LOCK,spin-lock,pub-sub-lock,SPIN,FAIR", "-1,0,1,2,999,1000,60000,86400000"
	for _, row := range probe(t, nil, t.TempDir(), append(run, "edges", redisServer(t), durations, types, leases)...) {
		taken := row["taken"] == true
		if text, ok := row["text"].(string); ok {
			got, err := SimpleTx.Parse(text)
			if (err == nil) != taken || err == nil && float64(got) != row["ns"] {
				t.Errorf("Spring Boot takes %q: %v as %v ns; lockplan as %s (%v)", text, taken, row["ns"], got, err)
			}
			// ShedLock reads them alike, but for small letters.
			if shed := row["shedlock_ns"]; text != "pt2s" && (err == nil) != (shed != -1.0) || err == nil && shed != -1.0 && float64(got) != shed {
				t.Errorf("ShedLock takes %q as %v ns; lockplan as %s (%v)", text, shed, got, err)
			}
			continue
		}
		if text, ok := row["type"].(string); ok {
			if _, err := judge("redisLockType", text); (err == nil) != taken {
				t.Errorf("Spring takes the type %s: %v; lockplan: %v", text, taken, err)
			}
			continue
		}
		text := fmt.Sprintf("%.0f", row["expireAfter"])
		v, err := judge("expireAfter", text)
		if refused := err != nil || has(v, "LP520"); refused == taken {
			t.Errorf("a lock with expireAfter %s can be had: %v; lockplan calls it an error: %v (%v)", text, taken, refused, err)
		}
		if left, _ := row["pttl_ms"].(float64); left > 0 && (left > float64(v.Consequences.TTL.Milliseconds()) || left < float64(v.Consequences.TTL.Milliseconds())-500) {
			t.Errorf("expireAfter %s leaves %v ms, lockplan says %s", text, left, v.Consequences.TTL)
		}
	}
}

// springWaits: tryLock waits up to its argument for the thread of the
// same process and as long again for Redis; with PUB_SUB_LOCK a message for a
// lock that somebody else got starts the wait for Redis anew. The second
// caller comes a fifth of the wait after the first, so that these are 1.8, and
// 2.6, of the 2, and 3, waits at worst.
func springWaits(t *testing.T, run []string) {
	slow(t)
	lib, err := Get("spring-integration")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range probe(t, nil, t.TempDir(), append(run, "waits", redisServer(t), "SPIN_LOCK,PUB_SUB_LOCK", "1000")...) {
		kind, waits, woken, crash, timed := row["type"].(string), 2.0, 1700.0, 1950.0, 950.0
		if kind == pubSubLock {
			waits, woken, crash, timed = 3, 2500, 3750, 2350
		}
		between(t, "Spring "+kind+" tryLock(1 s) alone, ms", row["alone_ms"], 990, 2500)
		between(t, "Spring "+kind+" tryLock(1 s) behind a thread of its own process, ms", row["behind_ms"], 1700, 3500)
		between(t, "Spring "+kind+" tryLock(1 s) behind a thread, and woken for nothing, ms", row["woken_ms"], woken, 4500)
		between(t, "Spring "+kind+" lock() after the crash of a holder of 2 s, asked for at 1.8 s, ms", row["crash_ms"], crash, crash+1700)
		between(t, "Spring "+kind+" tryLock(1.5 s) after the crash of a holder of 1 s, asked for at 0.9 s, ms", row["timed_ms"], timed, timed+1700)
		for lease, c := range map[string]struct {
			wait string
			ms   any
		}{"2000": {"", row["crash_ms"]}, "1000": {"1500", row["timed_ms"]}} {
			values := Values{"expireAfter": {Text: lease}, "redisLockType": {Text: kind}, "spring.data.redis.timeout": {Text: "200ms"}}
			if c.wait != "" {
				values["waitTime"] = Value{Text: c.wait}
			}
			v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
			if err != nil {
				t.Fatal(err)
			}
			between(t, "Spring "+kind+" a crash of a holder of "+lease+" ms, of lockplan's worst, ms", c.ms, 0, float64(v.Consequences.TakeoverWorst.Milliseconds()))
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"waitTime": {Text: "1000"}, "redisLockType": {Text: kind}, "spring.data.redis.timeout": {Text: "1ms"}}})
		if err != nil {
			t.Fatal(err)
		}
		if worst := v.Consequences.AcquireWorst; worst == nil || worst.Seconds() < waits || worst.Seconds() > waits+0.2 {
			t.Errorf("%s: lockplan says %v at worst", kind, worst)
		}
	}
}

// springFrozen: an unlock on a frozen server takes two commands, and a
// timeout of 0 is none.
func springFrozen(t *testing.T, run []string) {
	slow(t)
	lib, err := Get("spring-integration")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		timeout, limit  string
		unlock, tryLock [2]float64
	}{
		{"700", "30000", [2]float64{1400, 2600}, [2]float64{700, 1900}},
		{"0", "5000", [2]float64{-1, -1}, [2]float64{}},
	} {
		proxy := newFreezer(t, redisServer(t))
		rows := probe(t, proxy, t.TempDir(), append(run, "frozen", proxy.addr, c.timeout, c.limit)...)
		between(t, "Spring unlock on a frozen server, timeout "+c.timeout+" ms (-1 is never), ms", rows[0]["unlock_ms"], c.unlock[0], c.unlock[1])
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"spring.data.redis.timeout": {Text: c.timeout}}})
		if err != nil {
			t.Fatal(err)
		}
		unbounded := slices.ContainsFunc(v.Findings, func(f finding.Finding) bool { return f.ID == "LP541" })
		if unbounded != (c.timeout == "0") {
			t.Errorf("timeout %s: %v", c.timeout, v.Findings)
		}
		if !unbounded {
			between(t, "Spring tryLock on a frozen server, timeout "+c.timeout+" ms, ms", rows[1]["trylock_ms"], c.tryLock[0], c.tryLock[1])
			if v.Run.Setup.Unlock.Value != 1400*time.Millisecond {
				t.Errorf("unlock: lockplan says %s", v.Run.Setup.Unlock.Value)
			}
		}
	}
}

// springRenewal: a renewal that failed is tried again a third later.
func springRenewal(t *testing.T, run []string) {
	slow(t)
	addr := redisServer(t)
	proxy := newFreezer(t, addr)
	rows := probe(t, proxy, t.TempDir(), append(run, "renewal", proxy.addr, addr)...)
	if rows[0]["held"] != true {
		t.Errorf("after a failed renewal the lock of 6 s is held: %v", rows[0]["held"])
	}
}

// springShedLock: without safeUpdate the late unlock of a job that overran
// removes the lock of the next one (LP546).
func springShedLock(t *testing.T, run []string) {
	for _, row := range probe(t, nil, t.TempDir(), append(run, "shedlock", redisServer(t))...) {
		if row["kept"] != row["safe"] {
			t.Errorf("safeUpdate %v: the next one's lock is still there: %v", row["safe"], row["kept"])
		}
	}
}
