package library

import (
	"encoding/json"
	"testing"
)

// TestRealGoRedisEdges: SET NX with every kind of lease, and what the client
// makes of its options.
func TestRealGoRedisEdges(t *testing.T) {
	t.Parallel()
	addr := redisServer(t)
	lease := map[string]string{"ttl": "10s"}
	edgesOf(t, "go-redis", "goredis-edge", addr, []edge{
		{map[string]string{"ttl": "0s"}, bends, []int64{-1}},
		{map[string]string{"ttl": "-1ns"}, bends, []int64{-1}}, // KeepTTL
		{map[string]string{"ttl": "-1s"}, refuses, []int64{-2}},
		{map[string]string{"ttl": "1ns"}, bends, nil},
		{map[string]string{"ttl": "999us"}, bends, nil},
		{map[string]string{"ttl": "1ms"}, takes, nil},
		{map[string]string{"ttl": "1500500us"}, takes, nil},
		{map[string]string{"ttl": "2s"}, takes, nil},
		{map[string]string{"ttl": "87600h"}, takes, nil},
		{with(lease, "MaxRetries", "0"), means, nil},
		{with(lease, "MaxRetries", "-1"), takes, nil},
		{with(lease, "MaxRetries", "-2"), takes, nil},
		{with(lease, "MaxRetries", "1"), takes, nil},
		{with(lease, "ReadTimeout", "0s"), means, nil},
		{with(lease, "ReadTimeout", "-1"), bends, nil},
		{with(lease, "ReadTimeout", "-2"), bends, nil},
		{with(lease, "ReadTimeout", "-5s"), bends, nil},
		{with(lease, "ReadTimeout", "-1", "renewTimeout", "300ms", "ContextTimeoutEnabled", "true"), takes, nil},
		{with(lease, "ReadTimeout", "-2", "renewTimeout", "300ms", "ContextTimeoutEnabled", "true"), bends, nil},
		{with(lease, "ReadTimeout", "2s"), takes, nil},
		{with(lease, "WriteTimeout", "0s"), means, nil},
		{with(lease, "WriteTimeout", "-1"), takes, nil},
		{with(lease, "DialTimeout", "0s"), means, nil},
		{with(lease, "DialTimeout", "-1", "MaxRetries", "-1"), refuses, []int64{-2}},
		{with(lease, "DialTimeout", "-5s", "MaxRetries", "-1"), refuses, []int64{-2}},
		{with(lease, "PoolTimeout", "0s"), means, nil},
		{with(lease, "PoolTimeout", "-1"), takes, nil},
		{with(lease, "MaxRetryBackoff", "0s"), means, nil},
		{with(lease, "MaxRetryBackoff", "-1"), takes, nil},
	})
}

// TestRealGoRedis: what ends a command on a frozen server, and behind a
// partition, and that it stays below lockplan's worst case.
func TestRealGoRedis(t *testing.T) {
	t.Parallel()
	program := goProgram(t)
	cases := []struct {
		set     map[string]string
		endless bool
		least   float64 // ms
	}{
		{map[string]string{"ReadTimeout": "300ms", "MaxRetryBackoff": "10ms", "idle": "6"}, false, 600}, // the second try hangs in a handshake, which is not tried again
		{map[string]string{"ReadTimeout": "300ms", "MaxRetries": "-1"}, false, 290},
		{map[string]string{"ReadTimeout": "300ms", "MaxRetries": "0", "MaxRetryBackoff": "10ms", "idle": "6"}, false, 600},
		{map[string]string{"ReadTimeout": "-1"}, true, 0},
		{map[string]string{"ReadTimeout": "-1", "deadline": "400ms"}, true, 0},
		{map[string]string{"ReadTimeout": "-1", "deadline": "400ms", "ContextTimeoutEnabled": "true"}, false, 390},
		{map[string]string{"ReadTimeout": "-2", "deadline": "400ms", "ContextTimeoutEnabled": "true"}, true, 0},
		{map[string]string{"ReadTimeout": "-5s", "deadline": "400ms", "ContextTimeoutEnabled": "true"}, true, 0},
		{map[string]string{"ReadTimeout": "500ms", "deadline": "200ms"}, false, 490},
		{map[string]string{"ReadTimeout": "500ms", "deadline": "200ms", "ContextTimeoutEnabled": "true"}, false, 190},
		{map[string]string{"ReadTimeout": "300ms", "PoolSize": "1", "PoolTimeout": "200ms", "MaxRetries": "1", "MaxRetryBackoff": "10ms", "busy": "yes"}, false, 190},
	}
	var sets []map[string]string
	for _, c := range cases {
		sets = append(sets, with(c.set, "watch", "4s"))
	}
	text, err := json.Marshal(sets)
	if err != nil {
		t.Fatal(err)
	}
	proxy := newFreezer(t, redisServer(t))
	for i, row := range probe(t, proxy, t.TempDir(), program, "goredis-frozen", proxy.addr, string(text)) {
		c := cases[i]
		set := with(c.set, "ttl", "30s")
		if ctx := c.set["deadline"]; ctx != "" {
			set["renewTimeout"] = ctx
		}
		_, run := saidOf(t, "go-redis", set)
		endless := row["endless"] == true
		if endless != c.endless || endless == run.Setup.RenewTimeout.Known {
			t.Errorf("go-redis %v on a frozen server: %v; lockplan knows an end: %v", c.set, row, run.Setup.RenewTimeout.Known)
		} else if !endless {
			between(t, "go-redis on a frozen server, "+string(must(json.Marshal(c.set)))+", ms", row["ms"], c.least, float64(run.Setup.RenewTimeout.Value.Milliseconds())+250)
		}
	}
	for _, set := range []map[string]string{
		{"DialTimeout": "100ms", "ReadTimeout": "50ms", "MaxRetries": "1", "MaxRetryBackoff": "10ms"},
		{"DialTimeout": "100ms", "ReadTimeout": "50ms", "MaxRetries": "1", "MaxRetryBackoff": "10ms", "deadline": "200ms"},
	} {
		text := string(must(json.Marshal(set)))
		row := probe(t, nil, t.TempDir(), program, "goredis-hole", text)[0]
		ours := with(set, "ttl", "30s")
		least := 1700.0 // two tries of five dials, 100 ms apart
		if ctx := set["deadline"]; ctx != "" {
			ours["renewTimeout"], least = ctx, 190
		}
		_, run := saidOf(t, "go-redis", ours)
		between(t, "go-redis behind a partition, "+text+", ms", row["ms"], least, float64(run.Setup.RenewTimeout.Value.Milliseconds())+400)
	}
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}
