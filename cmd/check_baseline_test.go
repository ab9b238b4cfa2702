package cmd

import (
	"path/filepath"
	"strings"
	"testing"
)

// baselineOf writes what check finds as a baseline.
func baselineOf(t *testing.T, args ...string) string {
	t.Helper()
	code, out, stderr := run("", append(append([]string{"check"}, args...), "-o", "json")...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	path := filepath.Join(t.TempDir(), "baseline.json")
	write(t, path, out)
	return path
}

// What a baseline had and a run lacks is worse, as a figure that shrank is.
func TestBaselineOfWhatDisappeared(t *testing.T) {
	lock := []string{"--ttl", "30s", "--pause", "1.5s", "--rtt", "20ms", "--fencing", "yes", "--queue-sla", "2m"}
	renewed := append(lock[:len(lock):len(lock)], "--renew", "10s", "--renew-timeout", "2s")
	capped := append(renewed[:len(renewed):len(renewed)], "--max-hold", "25s")
	waiting := func(wait string) []string {
		return append(capped[:len(capped):len(capped)], "--wait", wait, "--attempt-timeout", "1s")
	}
	for _, c := range []struct {
		name     string
		old, new []string
		says     []string // LP406 and no more of them
	}{
		{"nothing changed", capped, capped, nil},
		{"renewals added", lock, append(capped[:len(capped):len(capped)], "--max-hold", "29s"), nil},
		// 30s - 10s - 10s (C2), 30s - 10s - 120ms (C3), k = 1.
		{"renewals disappeared", capped, lock, []string{
			"the outage survived is none or not known, in the baseline 10s",
			"the pause survived is none or not known, in the baseline 19.88s",
			"the number of failed renewals survived is none or not known, in the baseline 1"}},
		{"maximum hold dropped", capped, renewed, []string{"the hold covered is none or not known, in the baseline 25s"}},
		{"longer wait", waiting("10s"), waiting("60s"), []string{"the worst time to acquire is 1m, in the baseline 10s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, out, _ := run("", append(append([]string{"check"}, c.new...), "--baseline", baselineOf(t, c.old...), "--out", "github=-")...)
			if got := strings.Count(out, "LP406 worse-than-baseline::"); got != len(c.says) {
				t.Errorf("LP406 %d times, want %d: %s", got, len(c.says), out)
			}
			for _, says := range c.says {
				if !strings.Contains(out, says) {
					t.Errorf("no %q: %s", says, out)
				}
			}
		})
	}
}

// Nothing can be held against a plan that there was not.
func TestBaselineWithoutFigures(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "plan.json")
	write(t, path, `{"schema":"lockplan/plan/v1","service":"","feasible":false}`)
	code, out, stderr := run("", "check", "--ttl", "5s", "--p999", "1s", "--pause", "1s", "--fencing", "yes", "--queue-sla", "1m", "--baseline", path, "-o", "json")
	if code != 0 || !strings.Contains(out, "has no figures of") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
}

func TestBaselineOfAnotherSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.json")
	for _, text := range []string{
		`{"schema":"lockplan/check/v2","targets":[{"name":"generic","consequences":{"pause_survived_seconds":9}}]}`,
		`{"schema":"lockplan/simulation/v1","targets":[]}`,
		`{"schema":"lockplan/plan/v9","feasible":true}`,
		`{"schema":"lockplan/plans/v9","plans":[{"schema":"lockplan/plan/v1"}]}`,
		`{"schema":"lockplan/plans/v1","plans":[{"schema":"lockplan/plan/v9"}]}`,
		`{}`,
	} {
		write(t, path, text)
		if code, _, stderr := run("", "check", "--ttl", "5s", "--p999", "1s", "--baseline", path); code != 2 || !strings.Contains(stderr, "schema") || !strings.Contains(stderr, path) {
			t.Errorf("%s: exit %d: %s", text, code, stderr)
		}
	}
}

// What got worse is shown at the key that has changed, not at another's line.
func TestBaselineShowsTheChangedKey(t *testing.T) {
	t.Chdir(t.TempDir())
	redisson := func(timeout, watchdog string) string {
		return "# one\n# two\nlockWatchdogTimeout: " + watchdog + "\nsingleServerConfig:\n  address: redis://r:6379\n  retryAttempts: 1\n  retryInterval: 100\n  # more\n  connectTimeout: 1000\n  # and\n  # more\n  timeout: " + timeout + "\n"
	}
	check := []string{"--library", "redisson@3.47", "r.yaml", "--pause", "1s", "--rtt", "5ms", "--fencing", "yes", "--queue-sla", "2m", "--max-hold", "2m"}
	write(t, "r.yaml", redisson("100", "30000"))
	baseline := baselineOf(t, check...)
	for _, c := range []struct{ timeout, watchdog, want, never string }{
		{"900", "30000", "file=r.yaml,line=12,title=LP406", "line=3,title=LP406"},
		{"100", "40000", "file=r.yaml,line=3,title=LP406", "line=12,title=LP406"},
	} {
		write(t, "r.yaml", redisson(c.timeout, c.watchdog))
		_, out, stderr := run("", append(append([]string{"check"}, check...), "--baseline", baseline, "--out", "github=-")...)
		if !strings.Contains(out, c.want) || strings.Contains(out, c.never) {
			t.Errorf("timeout %s, watchdog %s: %s%s", c.timeout, c.watchdog, out, stderr)
		}
	}
}
