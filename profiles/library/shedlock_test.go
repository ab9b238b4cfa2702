package library

import (
	"testing"
	"time"
)

// After a crash the lock is free lockAtMostFor later and taken at the next
// trigger (libs-redis, section 1), whoever says how far those are apart.
func TestShedLockPeriod(t *testing.T) {
	for _, period := range []string{"period=15m", "--period=15m"} {
		v := judged(t, "shedlock", "lockAtMostFor=8m", "--rtt=1ms", "--rto=23m", period)
		if got := v.Consequences.TakeoverWorst.Truncate(time.Second); got != 23*time.Minute {
			t.Errorf("%s: taken over after %s", period, got)
		}
		if severityOf(v, "LP102") != "error" && *v.Consequences.TakeoverWorst > 23*time.Minute {
			t.Errorf("%s: no LP102 at %s", period, *v.Consequences.TakeoverWorst)
		}
	}
	if v := judged(t, "shedlock", "lockAtMostFor=8m", "--rtt=1ms", "--rto=9m", "--period=15m"); severityOf(v, "LP102") != "error" {
		t.Error("an RTO of 9m is met")
	}
	// The file's own schedule is the nearer one.
	if v := judged(t, "shedlock", "lockAtMostFor=8m", "period=1m", "--period=15m"); v.Consequences.TakeoverWorst.Truncate(time.Minute) != 9*time.Minute {
		t.Errorf("taken over after %s", *v.Consequences.TakeoverWorst)
	}
}
