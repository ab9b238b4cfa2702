package library

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestRealRedsyncEdges: what Lock makes of leases, tries and factors.
func TestRealRedsyncEdges(t *testing.T) {
	t.Parallel()
	addr := redisServer(t)
	once := map[string]string{"WithTries": "1"}
	rows := edgesOf(t, "redsync", "redsync-edge", addr, []edge{
		{once, takes, nil},
		{with(once, "WithExpiry", "0s"), refuses, []int64{-2}},
		{with(once, "WithExpiry", "-1s"), refuses, []int64{-2}},
		{with(once, "WithExpiry", "1ns"), refuses, []int64{-2}},
		{with(once, "WithExpiry", "1500500us"), takes, nil},
		{with(once, "WithExpiry", "24h"), takes, nil},
		{map[string]string{"WithTries": "0"}, refuses, []int64{-2}},
		{map[string]string{"WithTries": "-1"}, refuses, []int64{-2}},
		{with(once, "WithDriftFactor", "0"), takes, nil},
		{with(once, "WithDriftFactor", "0.9"), takes, nil},
		{with(once, "WithDriftFactor", "1"), refuses, []int64{-2}},
		{with(once, "WithDriftFactor", "1.5"), refuses, []int64{-2}},
		{with(once, "WithDriftFactor", "-0.5"), bends, nil},
		{with(once, "WithTimeoutFactor", "0"), refuses, []int64{-2}},
		{with(once, "WithTimeoutFactor", "-1"), refuses, []int64{-2}},
		{with(once, "WithTimeoutFactor", "1"), takes, nil},
		{with(once, "WithTimeoutFactor", "1.5"), takes, nil},
		{with(once, "WithRetryDelay", "0s"), takes, nil},
	})
	between(t, "redsync WithDriftFactor -0.5, expiry 8 s: Until() in, ms", rows[12]["until_ms"], 11000, 12000)
	between(t, "redsync WithDriftFactor 0.9, expiry 8 s: Until() in, ms", rows[9]["until_ms"], 1, 800)
	waits := []map[string]string{
		{"held": "yes", "WithTries": "3", "WithRetryDelay": "100ms"},
		{"held": "yes", "WithTries": "3", "WithRetryDelay": "0s"},
		{"held": "yes", "WithTries": "3", "WithRetryDelay": "-1s"},
		{"held": "yes", "WithTries": "3"},
	}
	most := []float64{700, 300, 300, 1000}
	for i, row := range probe(t, nil, t.TempDir(), goProgram(t), "redsync-edge", addr, string(must(json.Marshal(waits)))) {
		_, run := saidOf(t, "redsync", waits[i])
		if run == nil { // a negative delay is refused here; redsync takes it for 0
			between(t, "redsync WithRetryDelay -1s, 3 tries, ms", row["ms"], 0, most[i])
			continue
		}
		between(t, "redsync 3 tries on a held lock, WithRetryDelay "+waits[i]["WithRetryDelay"]+", ms", row["ms"], 0, most[i])
		if wait := float64(run.Setup.Wait.Value.Milliseconds()); waits[i]["WithRetryDelay"] != "" && row["ms"].(float64) < wait {
			t.Errorf("redsync %v gives up after %v ms, lockplan says %v", waits[i], row["ms"], wait)
		}
		if row["sets"] != 3.0 {
			t.Errorf("redsync %v: %v tries", waits[i], row["sets"])
		}
	}
}

// TestRealRedsync: without ContextTimeoutEnabled a try on a frozen server
// takes a ReadTimeout, and its clean-up another; with it, expiry x
// timeoutFactor for the acquire and again for the clean-up.
func TestRealRedsync(t *testing.T) {
	t.Parallel()
	program := goProgram(t)
	for _, c := range []struct {
		set   map[string]string
		least float64
	}{
		{map[string]string{"ContextTimeoutEnabled": "true", "WithTries": "1"}, 790},
		{map[string]string{"ContextTimeoutEnabled": "true", "WithTries": "2", "WithExpiry": "1s", "WithTimeoutFactor": "0.2", "WithRetryDelay": "50ms"}, 800},
		{map[string]string{"ContextTimeoutEnabled": "true", "WithTries": "1", "WithExpiry": "400ms", "WithTimeoutFactor": "1"}, 790},
		{map[string]string{"ReadTimeout": "1s", "WithTries": "1"}, 1900},
		{map[string]string{"ReadTimeout": "1s", "WithTries": "1", "WithTimeoutFactor": "0.01"}, 1900},
	} {
		proxy := newFreezer(t, redisServer(t))
		text := string(must(json.Marshal(c.set)))
		rows := probe(t, proxy, t.TempDir(), program, "redsync-try", proxy.addr, text)
		_, run := saidOf(t, "redsync", c.set)
		between(t, "redsync Lock on a frozen server, "+text+", ms", rows[0]["ms"], c.least, float64(run.Own.Acquire.Milliseconds())+300)
	}
	for _, row := range probe(t, nil, t.TempDir(), program, "redsync-again", redisServer(t)) {
		says := severityOf(judged(t, "redsync", fmt.Sprint("WithSetNXOnExtend=", row["again"])), "LP531") != ""
		if row["extended"] != row["again"] || says != row["again"] {
			t.Errorf("with WithSetNXOnExtend %v a lock that another had in between is extended: %v; LP531: %v", row["again"], row["extended"], says)
		}
	}
}
