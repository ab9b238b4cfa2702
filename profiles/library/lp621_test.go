package library

import (
	"testing"
	"time"
)

// research/libs-coordination.md CONSUL-DELAY: 0 cannot be sent by the Go API
// (hashicorp/consul#4508) and is none by HTTP; at most 60 s count.
func TestLP621(t *testing.T) {
	ruleEdges(t, "LP621", []ruleEdge{
		{"", "consul", nil},
		{"error", "consul", []string{"LockDelay=0s"}},
		{"warning", "consul", []string{"LockDelay=0s", "http=true", "SessionTTL=15s"}},
		{"warning", "consul", []string{"LockDelay=-1ns"}},
		{"", "consul", []string{"LockDelay=1ns"}},
		{"", "consul", []string{"LockDelay=60s"}},
		{"error", "consul", []string{"LockDelay=60s1ms"}},
		{"", "consul", []string{"SessionOpts.TTL=10s"}},
		{"error", "consul", []string{"SessionOpts.TTL=10s", "SessionOpts.LockDelay=0s"}},
		{"", "consul", []string{"SessionOpts.TTL=10s", "LockDelay=0s"}}, // which SessionOpts replace
	})
}

// TestConsulBody: the body of PUT /v1/session/create; TestRealConsulEdges holds
// its reading against a server.
func TestConsulBody(t *testing.T) {
	lib, err := Get("consul")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		body  string
		least time.Duration // free again, with a TTL of 15 s
		delay string
	}{
		{`{"TTL":"15s","LockDelay":"0s","Checks":[]}`, 30 * time.Second, "0s"},
		{`{"TTL":"15s","LockDelay":"0s","NodeChecks":[]}`, 30 * time.Second, "0s"},
		{`{"TTL":"15s","LockDelay":15,"NodeChecks":[]}`, 45 * time.Second, "15s"},
		{`{"TTL":"15s","LockDelay":5000000000,"NodeChecks":[]}`, 35 * time.Second, "5s"},
		{`{"TTL":"15s","NodeChecks":[]}`, 45 * time.Second, "15s"},
		{`{"TTL":"15s","LockDelay":5}`, 5 * time.Second, "5s"},
		{`{"TTL":"15s","LockDelay":"5s","Checks":["serfHealth","web"]}`, 5 * time.Second, "5s"},
		{`{"TTL":"15s","LockDelay":"5s","NodeChecks":[],"ServiceChecks":[{"ID":"web"}]}`, 5 * time.Second, "5s"},
	} {
		values, err := Parse(lib, "session.json", []byte(row.body))
		if err != nil {
			t.Fatalf("%s: %v", row.body, err)
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
		if err != nil {
			t.Fatalf("%s: %v", row.body, err)
		}
		if got := *v.Consequences.FreeMin; got != row.least || v.Run.Effective["LockDelay"] != row.delay || severityOf(v, "LP621") == "error" {
			t.Errorf("%s: free after %s at the earliest, want %s; LockDelay %s, want %s", row.body, got, row.least, v.Run.Effective["LockDelay"], row.delay)
		}
	}
}
