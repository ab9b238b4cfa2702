package calc

import (
	"testing"
	"time"
)

// A follower of client-go polls every 2.2 retry periods at most: 120/90/20 is
// taken over up to 44 s after a clean release, whatever W is.
func TestCleanTakeoverOfAPollingFollower(t *testing.T) {
	_, _, clean := Lease{TTL: 120 * time.Second, Interval: 20 * time.Second}.Takeover(polled{}, Env{Detect: 700 * time.Millisecond})
	if clean != 44*time.Second {
		t.Errorf("%v after a clean release", clean)
	}
}

type polled struct{ Generic }

func (polled) Notice(time.Duration) time.Duration { return 44 * time.Second }
