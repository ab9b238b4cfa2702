package library

import (
	"encoding/json"
	"testing"
	"time"
)

// TestRealTakeover: a waiter that was refused just before a dead holder's
// lease ended owns the lock a poll later, and no later than lockplan says.
func TestRealTakeover(t *testing.T) {
	t.Parallel()
	const left = 100 * time.Millisecond
	rows := []struct {
		library     string
		set         map[string]string
		least, most float64 // ms after the waiter began
	}{
		{"redsync", map[string]string{"WithRetryDelay": "1s"}, 1000, 1250},
		{"redislock", map[string]string{"ttl": "5s", "backoff": "1s"}, 1000, 1250},
		{"redislock", map[string]string{"ttl": "5s", "backoff": "600ms", "maxBackoff": "1s"}, 600, 850},
		{"rueidislock", map[string]string{"DisableCache": "true", "TryNextAfter": "1s", "KeyValidity": "5s"}, 1000, 1250},
		{"rueidislock", map[string]string{"DisableCache": "true", "TryNextAfter": "1s", "KeyValidity": "5s", "KeyMajority": "1"}, 1000, 1250},
		{"rueidislock", map[string]string{"NoLoopTracking": "true", "KeyMajority": "1"}, 100, 250},
		{"rueidislock", map[string]string{"NoLoopTracking": "true", "KeyMajority": "2"}, 100, 250},
		{"rueidislock", map[string]string{"NoLoopTracking": "true", "KeyMajority": "1", "TryNextAfter": "1s"}, 100, 250},
	}
	var sets []map[string]string
	for _, r := range rows {
		sets = append(sets, with(r.set, "library", r.library, "left", left.String()))
	}
	for i, row := range probe(t, nil, t.TempDir(), goProgram(t), "takeover", redisServer(t), string(must(json.Marshal(sets)))) {
		r := rows[i]
		between(t, r.library+", a dead holder's last 100 ms, "+string(must(json.Marshal(r.set)))+", ms", row["ms"], r.least, r.most)
		if row["error"] != "<nil>" {
			t.Errorf("%s %v: %v", r.library, r.set, row["error"])
		}
		args := []string{"--rtt=1ms"}
		for key, text := range r.set {
			args = append(args, key+"="+text)
		}
		c := judged(t, r.library, args...).Consequences
		said := *c.TakeoverWorst - *c.TTL + left
		if took := time.Duration(row["ms"].(float64) * 1e6); took > said+50*time.Millisecond { // of the machine
			t.Errorf("%s %v: a waiter owns the lock after %v, lockplan says at most %v", r.library, r.set, took, said)
		}
	}
}
