package library

import (
	"strings"
	"testing"
)

// research/libs-redis.md RS5: max(w, T_acq) + T_acq, where T_acq is the timeout
// and the delays before each send and the end, each up to a tick of 5 ms late:
// 107 + 2 x 10 + 3 x 5 ms, and 837 ms of wait make 979.
func TestLP502(t *testing.T) {
	args := func(deadline string) []string {
		return []string{"waitTime=837", "timeout=107", "retryAttempts=1", "retryDelay=" + constantDelay("PT0.01S"),
			"--deadline=" + deadline, "--work=100ms", "--reply=0s"}
	}
	ruleEdges(t, "LP502", []ruleEdge{
		{"warning", "redisson@4.2", args("1078ms")},
		{"", "redisson@4.2", args("1079ms")},
		{"", "redisson@4.2", args("1079ms")[:4]},                             // no deadline
		{"warning", "redisson@4.2", append(args("1220ms"), "lockType=fair")}, // section 1: and a command for the queue
		{"", "redisson@4.2", append(args("1221ms"), "lockType=fair")},
		{"warning", "redisson@4.2", append(args("1206ms"), "lockType=spin")}, // and the back-off
		{"", "redisson@4.2", append(args("1207ms"), "lockType=spin")},
	})
}

// 14.895 s are left: of a plain lock two commands fit into them, of a fair one
// three, and of a spin lock two and the back-off.
func TestLP502Hint(t *testing.T) {
	for kind, want := range map[string]string{"plain": "7.447s", "fair": "4.965s", "spin": "7.383s"} {
		v := judged(t, "redisson@4.2", "lockType="+kind, "waitTime=300", "--deadline=15s", "--work=0s", "--reply=100ms", "--confirm=5ms", "--rtt=5ms")
		found := false
		for _, f := range v.Findings {
			found = found || f.ID == "LP502" && strings.Contains(f.Fix, "at most "+want)
		}
		if !found {
			t.Errorf("%s: %v", kind, v.Findings)
		}
	}
}
