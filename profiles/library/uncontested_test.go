package library

import (
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// A session that ends before a cut-off holder is told is written only where the
// recovery target has no room for one that does not. A follower of syncLimit 5
// and tick 2 s answers for 10 s (TestRealZooKeeperFollower); the least session is
// above 1.5 x (5 + 1/2) x 2 s.
func TestSessionThatAFollowerCannotOutlive(t *testing.T) {
	given := Values{"tickTime": {Text: "2000"}, "syncLimit": {Text: "5"}}
	for _, name := range []string{"zookeeper", "curator", "go-zookeeper"} {
		for _, c := range []struct {
			rto, want time.Duration
			safe      bool
		}{
			{0, 16501 * time.Millisecond, true},
			{60 * time.Second, 16501 * time.Millisecond, true},
			{16501*time.Millisecond + 3*time.Second + 140*time.Millisecond, 16501 * time.Millisecond, true}, // 1.5 ticks, the margin to notice, a round trip
			{16500*time.Millisecond + 3*time.Second + 140*time.Millisecond, 4 * time.Second, false},
			{12 * time.Second, 4 * time.Second, false},
		} {
			lib, err := Get(name)
			if err != nil {
				t.Fatal(err)
			}
			in := calc.Inputs{Library: Configured(lib, given), Hold: calc.Claim(time.Second, "--p999"), Pause: calc.Claim(time.Second, "--pause"),
				RTT: calc.Claim(20*time.Millisecond, "--rtt"), Fencing: calc.FencingYes, QueueSLA: calc.Claim(5*time.Minute, "--queue-sla")}
			if c.rto > 0 {
				in.RTO = calc.Claim(c.rto, "--rto")
			}
			if in, err = in.Resolve(); err != nil {
				t.Fatal(err)
			}
			s := calc.Solve(in)
			got, err := Fit(in.Library.(Library), Wanted{In: in, Lease: s.Lease, Acquire: calc.SolveAcquire(in, 0), MaxHold: calc.MaxHold(in, s), Given: given})
			if err != nil {
				t.Fatalf("%s, RTO %s: %v", name, c.rto, err)
			}
			made := got.Verdict.Consequences
			told, free := *made.LossKnown, *made.FreeMin
			if *made.TTL != c.want || (told < free) != c.safe || (severityOf(got.Verdict, "LP582") == "") != c.safe {
				t.Errorf("%s, RTO %s: a session of %s, others own the lock after %s, the holder is told after %s; want %s", name, c.rto, *made.TTL, free, told, c.want)
			}
			if (got.Raised != nil) != c.safe {
				t.Errorf("%s, RTO %s: raised from %v", name, c.rto, got.Raised)
			}
		}
	}
}
