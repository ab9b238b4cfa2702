package library

import "testing"

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
