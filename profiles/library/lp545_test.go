package library

import "testing"

// research/libs-redis.md SH1; TestRealJVM holds the same edges against ShedLock.
func TestLP545(t *testing.T) {
	ruleEdges(t, "LP545", []ruleEdge{
		{"", "shedlock", []string{"lockAtMostFor=PT5S", "lockAtLeastFor=PT5S"}},
		{"error", "shedlock", []string{"lockAtMostFor=PT5S", "lockAtLeastFor=PT5.001S"}},
		{"", "shedlock", []string{"lockAtMostFor=PT30S", "keepAlive=true"}},
		{"error", "shedlock", []string{"lockAtMostFor=PT29.999S", "keepAlive=true"}},
		{"", "shedlock", []string{"lockAtMostFor=PT29.999S"}},
	})
	// What it refuses renews nothing.
	for most, want := range map[string]string{"PT30S": "", "PT29.999S": "error"} {
		v := judged(t, "shedlock", "lockAtMostFor="+most, "keepAlive=true", "safeUpdate=true", "--p999=40s")
		for _, id := range []string{"LP402", "LP105"} {
			if got := severityOf(v, id); got != want {
				t.Errorf("KeepAlive of %s: %s is %q, want %q", most, id, got, want)
			}
		}
	}
}
