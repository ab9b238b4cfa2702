package library

import (
	"testing"
)

// TestRealRueidislockEdges: what the locker makes of its options, and that an
// ExtendInterval of a whole KeyValidity loses the lock.
func TestRealRueidislockEdges(t *testing.T) {
	t.Parallel()
	addr := redisServer(t)
	base := map[string]string{"NoLoopTracking": "true"}
	px := with(base, "FallbackSETPX", "true", "TryNextAfter", "500ms")
	short := map[string]string{"DisableCache": "true", "KeyValidity": "500ms", "watch": "1500ms"}
	rows := edgesOf(t, "rueidislock", "rueidis-edge", addr, []edge{
		{base, takes, nil},
		{with(base, "KeyValidity", "0s"), means, nil},
		{with(base, "KeyValidity", "-1s"), means, nil},
		{with(px, "KeyValidity", "500us"), refuses, nil},
		{with(px, "KeyValidity", "1500500us"), takes, nil},
		{with(base, "KeyValidity", "24h"), takes, nil},
		{with(base, "ExtendInterval", "0s"), means, nil},
		{with(base, "ExtendInterval", "-1s"), means, nil},
		{with(base, "TryNextAfter", "0s"), means, nil},
		{with(base, "TryNextAfter", "-1s"), means, nil},
		{with(base, "TryNextAfter", "1ns"), refuses, nil},
		{with(base, "KeyMajority", "0"), means, nil},
		{with(base, "KeyMajority", "-1"), means, nil},
		{with(base, "KeyMajority", "1"), takes, nil},
		{with(base, "KeyMajority", "3"), takes, nil},
		{with(short, "ExtendInterval", "500ms"), bends, nil},
		{with(short, "ExtendInterval", "700ms"), bends, nil},
		{with(short, "ExtendInterval", "200ms"), takes, nil},
		{map[string]string{"KeyValidity": "5s"}, bends, nil}, // renews without pause
	})
	for i, keys := range map[int]float64{11: 3, 13: 1, 14: 5} {
		if rows[i]["keys"] != keys {
			t.Errorf("%v: %v keys", rows[i], rows[i]["keys"])
		}
	}
	// The key ends as it is extended: the first one may still come in time.
	between(t, "rueidislock KeyValidity 500 ms, ExtendInterval 500 ms: lost after, ms", rows[15]["lost_ms"], 490, 1499)
	between(t, "rueidislock KeyValidity 500 ms, ExtendInterval 700 ms: lost after, ms", rows[16]["lost_ms"], 690, 1200)
	if lost := rows[17]["lost_ms"]; lost != nil {
		t.Errorf("rueidislock KeyValidity 500 ms, ExtendInterval 200 ms: lost after %v ms", lost)
	}
	// A deadline of the acquire's context is the lock's own.
	row := probe(t, nil, t.TempDir(), goProgram(t), "rueidis-edge", addr, `[{"NoLoopTracking":"true","deadline":"500ms","watch":"1500ms"}]`)[0]
	between(t, "rueidislock KeyValidity 5 s under a context of 500 ms: PTTL, ms", row["pttl_ms"], 1, 500)
	between(t, "the same: lost after, ms", row["lost_ms"], 450, 900)
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
