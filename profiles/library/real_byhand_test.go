package library

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// pyHandCalls and jsHandCalls are ways to take a lock by hand, as the clients'
// own manuals write them.
var (
	pyHandCalls = []string{
		"c.set(key, token, nx=True, px=30000)", "c.set(key, token, ex=30, nx=True)", "c.set(key, token, None, 1500, True)", "c.set(key, token, 30, None, True)",
		"c.set(key, token, px=timedelta(minutes=1), nx=True)", "c.set(key, token, nx=True)",
		"if c.setnx(key, token):\n    c.expire(key, 30)\n", "if c.set(key, token, nx=True):\n    c.pexpire(key, 1500)\n",
	}
	jsHandCalls = []string{
		"await redis.set(key, token, 'PX', 30000, 'NX');", "await redis.set(key, token, \"NX\", \"EX\", 30);", "await redis.set(key, token, 'NX');",
		"if (await redis.setnx(key, token)) await redis.expire(key, 30);", "if (await redis.setnx(key, token)) await redis.pexpire(key, 1500);",
		"await client.set(key, token, { NX: true, PX: 1500 });", "const options = { EX: 30, NX: true };\nawait client.set(key, token, options);",
		"await client.set(key, token, { condition: 'NX', expiration: { type: 'PX', value: 1500 } });", "if (await client.setNX(key, token)) await client.pExpire(key, 1500);",
	}
)

// TestRealByHand: the clients give a lock by hand the lease that lockplan reads
// out of the same call, and a bare DEL removes the next owner's lock (LP525).
func TestRealByHand(t *testing.T) {
	t.Parallel()
	addr := redisServer(t)
	t.Run("python", func(t *testing.T) {
		rows := probe(t, nil, t.TempDir(), append(append(pythonProgram(t), "by_hand", addr), pyHandCalls...)...)
		handLeases(t, "redis-py", "w.py", pyHandCalls, rows, func(text string) (float64, error) {
			seconds, err := strconv.ParseFloat(text, 64)
			return 1000 * seconds, err
		})
	})
	t.Run("node", func(t *testing.T) {
		dir, command := nodeProgram(t)
		if _, err := os.Stat(filepath.Join(dir, "node_modules", "@redis", "client")); err != nil {
			without(t, "node-redis is not installed")
		}
		rows := probe(t, nil, dir, append(append(command, "byHand", addr), jsHandCalls...)...)
		handLeases(t, "node-redlock", "w.js", jsHandCalls, rows, func(text string) (float64, error) { return strconv.ParseFloat(text, 64) })
	})
}

// handLeases holds what the calls gave against what they are read as, in ms.
func handLeases(t *testing.T, library, file string, calls []string, rows []map[string]any, parse func(string) (float64, error)) {
	t.Helper()
	lib, err := Get(library)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(calls)+1 {
		t.Fatalf("%d rows of %d calls", len(rows), len(calls))
	}
	for i, call := range calls {
		all, err := ParseAll(lib, file, []byte(call))
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %v, %d locks", call, err, len(all))
			continue
		}
		text := all[0].Values["timeout"].Text + all[0].Values["duration"].Text
		want, err := parse(text)
		if text == "None" || want == 0 {
			want, err = -1, nil
		}
		if got, ok := rows[i]["pttl_ms"].(float64); err != nil || !ok || got > want || got < want-1000 || want < 0 && got != want || rows[i]["kept"] != true {
			t.Errorf("%s: read as %s (%v), the server says %v", call, text, err, rows[i])
		}
	}
	if got := rows[len(calls)]["pttl_ms"]; got != float64(-2) {
		t.Errorf("%v: the next owner's lock has a PTTL of %v, want none", rows[len(calls)]["call"], got)
	}
}
