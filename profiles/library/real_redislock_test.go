package library

import (
	"encoding/json"
	"testing"
)

// TestRealRedislock: leases of Obtain and of Refresh, and what ends a wait.
func TestRealRedislock(t *testing.T) {
	t.Parallel()
	addr := redisServer(t)
	edgesOf(t, "redislock", "redislock-edge", addr, []edge{
		{map[string]string{"ttl": "0s"}, refuses, []int64{-2}},
		{map[string]string{"ttl": "-1s"}, refuses, []int64{-2}},
		{map[string]string{"ttl": "1ns"}, refuses, []int64{-2}},
		{map[string]string{"ttl": "999us"}, refuses, []int64{-2}},
		{map[string]string{"ttl": "0s", "deadline": "1s"}, refuses, []int64{-2}},
		{map[string]string{"ttl": "999us", "deadline": "1s"}, refuses, []int64{-2}},
		{map[string]string{"ttl": "1ms", "deadline": "1s"}, takes, nil},
		{map[string]string{"ttl": "1500500us"}, takes, nil},
		{map[string]string{"ttl": "2s"}, takes, nil},
		{map[string]string{"ttl": "87600h"}, takes, nil},
		{map[string]string{"ttl": "0s", "refresh": "yes"}, bends, []int64{-2}}, // Refresh reports success
		{map[string]string{"ttl": "-1s", "refresh": "yes"}, bends, []int64{-2}},
		{map[string]string{"ttl": "999us", "refresh": "yes"}, bends, []int64{-2}},
		{map[string]string{"ttl": "1500500us", "refresh": "yes"}, takes, nil},
	})
	waits := []struct {
		set         map[string]string
		least, most float64 // ms
		obtained    bool    // the error is ErrNotObtained
	}{
		{map[string]string{"ttl": "3s", "retries": "3", "backoff": "50ms"}, 150, 900, true},
		{map[string]string{"ttl": "300ms", "retries": "30", "backoff": "50ms"}, 290, 600, false}, // the ttl ends it
		{map[string]string{"ttl": "300ms", "retries": "30", "backoff": "50ms", "deadline": "500ms"}, 490, 900, false},
		{map[string]string{"ttl": "3s", "retries": "0", "backoff": "1s"}, 0, 900, true},
		{map[string]string{"ttl": "3s", "retries": "-1", "backoff": "1s"}, 0, 900, true},
		{map[string]string{"ttl": "3s", "retries": "5", "backoff": "0s"}, 0, 900, true},
		{map[string]string{"ttl": "3s"}, 0, 900, true},
		{map[string]string{"ttl": "300ms", "backoff": "50ms"}, 290, 600, false}, // no limit
		{map[string]string{"ttl": "3s", "backoff": "16ms", "maxBackoff": "100ms", "retries": "6"}, 244, 900, true},
		{map[string]string{"ttl": "3s", "backoff": "1ms", "maxBackoff": "0s", "retries": "5"}, 124, 900, true}, // 4 + 8 + 16 + 32 + 64
	}
	var sets []map[string]string
	for _, w := range waits {
		sets = append(sets, with(w.set, "held", "yes"))
	}
	for i, row := range probe(t, nil, t.TempDir(), goProgram(t), "redislock-edge", addr, string(must(json.Marshal(sets)))) {
		w := waits[i]
		ours := w.set
		if d := w.set["deadline"]; d != "" {
			ours = with(ours, "contextDeadline", d)
		}
		_, run := saidOf(t, "redislock", ours)
		between(t, "redislock Obtain of a held lock, "+string(must(json.Marshal(w.set)))+", ms", row["ms"], w.least, w.most)
		if row["not_obtained"] != w.obtained {
			t.Errorf("redislock %v: ErrNotObtained is %v", w.set, row["not_obtained"])
		}
		if least := run.Setup.Wait.Value; row["ms"].(float64) < float64(least.Milliseconds())-1 {
			t.Errorf("redislock %v waits for %v ms, lockplan says at least %v", w.set, row["ms"], least)
		}
		if most := float64(run.Own.Acquire.Milliseconds()); row["ms"].(float64) > most+250 {
			t.Errorf("redislock %v waits for %v ms, lockplan says at most %v", w.set, row["ms"], most)
		}
	}
}
