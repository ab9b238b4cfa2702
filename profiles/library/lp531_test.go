package library

import "testing"

// research/libs-redis.md, section 5: WithSetNXOnExtend is off by default
// (go-redsync/redsync PR 149; touch in mutex.go of v4.18.1).
func TestLP531(t *testing.T) {
	ruleEdges(t, "LP531", []ruleEdge{
		{"", "redsync", nil},
		{"", "redsync", []string{"WithSetNXOnExtend=false"}},
		{"warning", "redsync", []string{"WithSetNXOnExtend=true"}},
		{"warning", "redsync", []string{"WithSetNXOnExtend=true", "WithExpiry=8s", "extendEvery=2s"}},
	})
}

// The option has no argument, and stands among others.
func TestParseSetNXOnExtend(t *testing.T) {
	for name, r := range map[string]reading{
		"given":        {"redsync", "w.go", "func f() {\n\trs.NewMutex(`a`, redsync.WithExpiry(8*time.Second), redsync.WithSetNXOnExtend())\n}\n", "@2 WithExpiry=8s WithSetNXOnExtend=true"},
		"alone":        {"redsync", "w.go", "var options = []redsync.Option{\n\tredsync.WithSetNXOnExtend(),\n\tredsync.WithTries(3),\n}\n", "@2 WithSetNXOnExtend=true WithTries=3"},
		"commented":    {"redsync", "w.go", "func f() {\n\trs.NewMutex(`a`, redsync.WithExpiry(8*time.Second)) // redsync.WithSetNXOnExtend()\n}\n", "@2 WithExpiry=8s"},
		"of two locks": {"redsync", "w.go", "func f() { rs.NewMutex(`a`, redsync.WithExpiry(8*time.Second)) }\nfunc g() { rs.NewMutex(`b`, redsync.WithExpiry(9*time.Second), redsync.WithSetNXOnExtend()) }\n", "line 1@1 WithExpiry=8s\nline 2@2 WithExpiry=9s WithSetNXOnExtend=true"},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}
