package library

import (
	"testing"
	"time"
)

// research/libs-coordination.md CONSUL-OPTS: SessionTTL/2 >= 2 x
// SessionOpts.TTL; unset is 7.5 s.
func TestLP623(t *testing.T) {
	ruleEdges(t, "LP623", []ruleEdge{
		{"error", "consul", []string{"SessionTTL=60s", "SessionOpts.TTL=10s"}},
		{"error", "consul", []string{"SessionTTL=40s", "SessionOpts.TTL=10s"}},
		{"", "consul", []string{"SessionTTL=39.999999998s", "SessionOpts.TTL=10s"}},
		{"", "consul", []string{"SessionOpts.TTL=10s"}},
		{"", "consul", []string{"SessionTTL=60s"}},
	})
	first := judged(t, "consul", "SessionOpts.TTL=10s")
	if l := first.Run.Lease; l.TTL != 10*time.Second || l.Interval != 7500*time.Millisecond {
		t.Errorf("SessionOpts of 10s and no SessionTTL are %s, renewed every %s", l.TTL, l.Interval)
	}
}

// TestConsulSessionOpts: LockOptions and the SessionOpts in them are one lock,
// whether the literal stands inside or before.
func TestConsulSessionOpts(t *testing.T) {
	for name, code := range map[string]string{
		"inside": `c.LockOpts(&api.LockOptions{Key: "k", SessionTTL: "60s", SessionOpts: &api.SessionEntry{TTL: "10s", LockDelay: 5*time.Second}})`,
		"before": "entry := &api.SessionEntry{\n\t\tTTL: \"10s\",\n\t\tLockDelay: 5 * time.Second,\n\t}\n\tc.LockOpts(&api.LockOptions{\n\t\tKey: \"k\",\n\t\tSessionOpts: entry,\n\t\tSessionTTL: \"60s\",\n\t})",
		"after":  "o := &api.LockOptions{Key: \"k\", SessionTTL: \"60s\"}\n\to.SessionOpts = &api.SessionEntry{TTL: \"10s\", LockDelay: 5 * time.Second}",
	} {
		lib, err := Get("consul")
		if err != nil {
			t.Fatal(err)
		}
		values, err := Parse(lib, "lock.go", []byte("package a\n\nfunc f() {\n\t"+code+"\n}\n"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if values["SessionTTL"].Text != "1m0s" && values["SessionTTL"].Text != "60s" || values["SessionOpts.TTL"].Text != "10s" || values["SessionOpts.LockDelay"].Text != "5s" {
			t.Errorf("%s: read as %v", name, values)
		}
	}
	// A session made by hand is no SessionOpts, though emit writes the like.
	lib, _ := Get("consul")
	values, err := Parse(lib, "lock.go", []byte("package a\n\nfunc f() {\n\tc.Session().CreateNoChecks(&api.SessionEntry{\n\t\tTTL:       \"20s\",\n\t\tLockDelay: 5 * time.Second,\n\t}, nil)\n}\n"))
	if err != nil || values["SessionTTL"].Text != "20s" || values["LockDelay"].Text != "5s" || values["healthChecks"].Text != "false" {
		t.Errorf("a session by hand is read as %v: %v", values, err)
	}
}
