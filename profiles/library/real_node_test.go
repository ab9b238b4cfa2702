package library

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// nodeProgram is how to run the Node probe.
func nodeProgram(t *testing.T) (dir string, command []string) {
	t.Helper()
	need(t, "node")
	dir = runtimes(t, "node")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "redlock")); err != nil {
		without(t, "node-redlock is not installed")
	}
	return dir, []string{"node", "probe.mjs"}
}

// TestRealNodeRedlock: it takes what emit wrote with the same numbers, refuses
// what lockplan calls an error, and aborts as late as its tries allow.
func TestRealNodeRedlock(t *testing.T) {
	t.Parallel()
	dir, command := nodeProgram(t)
	addr := redisServer(t)
	emitted := t.TempDir()
	if err := os.WriteFile(filepath.Join(emitted, "package.json"), []byte(`{"type": "module"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	fits := map[string]Fitted{}
	var files []string
	for service, fit := range grid(t, "node-redlock") {
		path := emitTo(t, emitted, fit, service, "js")
		files, fits[filepath.Base(path)] = append(files, path), fit
	}
	seen := 0
	for _, row := range probe(t, nil, dir, append(append(command, "values"), files...)...) {
		fit := fits[row["service"].(string)]
		seen++
		for _, key := range []string{"duration", "driftFactor", "retryCount", "retryDelay", "retryJitter", "automaticExtensionThreshold", "commandTimeout", "maxRetriesPerRequest"} {
			raw, err := (code{fit: fit}).Raw(key)
			if err != nil || fmt.Sprint(row[key]) != raw {
				t.Errorf("%v: %s is %v to node-redlock, emitted as %s (%v)", row["service"], key, row[key], raw, err)
			}
		}
	}
	if seen != len(fits) {
		t.Errorf("%d of %d plans were looked at", seen, len(fits))
	}
	lib, err := Get("node-redlock")
	if err != nil {
		t.Fatal(err)
	}
	edges := []string{"1000", "1000", "1000", "901", "1000", "900", "1000", "500", "600", "500", "599", "500", "101", "1", "100", "1", "1000.5", "100", "200", "100", "199", "100"}
	for _, row := range probe(t, nil, dir, append(append(command, "edges", addr), edges...)...) {
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"duration": {Text: row["duration"].(string)},
			"automaticExtensionThreshold": {Text: row["threshold"].(string)}, "retryCount": {Text: "0"}, "commandTimeout": {Text: "500"}}})
		refused := err != nil || has(v, "LP563")
		if refused == (row["taken"] == true) {
			t.Errorf("using() takes %v: %v; lockplan calls it an error: %v (%v)", row, row["taken"], refused, err)
		}
	}
	rows := probe(t, nil, dir, append(command, "late", addr)...)
	between(t, "node-redlock lease of 1000 ms got after 700 ms of waiting: left by its own reckoning, ms", rows[0]["left_ms"], -200, 350)
	for i, c := range []struct{ what, count, timeout string }{{"after 1500 ms, retryCount -1", "-1", "50"}, {"by commands of 100 ms, 10 ms between them", "20", "100"}} {
		between(t, "node-redlock lease of 1000 ms got "+c.what+": left by its own reckoning, ms", rows[i+1]["left_ms"], -3000, -1)
		if v := judged(t, "node-redlock", "duration=1000", "using=false", "retryDelay=10", "retryJitter=0", "retryCount="+c.count, "commandTimeout="+c.timeout); severityOf(v, "LP565") != "error" {
			t.Errorf("a lease got late %s: %v", c.what, v.Findings)
		}
	}
	for _, c := range []struct {
		name, timeout, count string
		least, most          float64
	}{
		{"commandTimeout 200, retryCount 10", "200", "10", 3000, 9000},
		{"commandTimeout 100, retryCount 1", "100", "1", 1000, 6000},
		{"no commandTimeout (-1 is never)", "0", "1", -1, -1},
	} {
		proxy := newFreezer(t, addr)
		rows := probe(t, proxy, dir, append(command, "frozen", proxy.addr, c.timeout, c.count, "3000", "2000", "9000")...)
		between(t, "node-redlock using() of 3000 ms, frozen, "+c.name+": aborted after, ms", rows[0]["aborted_ms"], c.least, c.most)
	}
}
