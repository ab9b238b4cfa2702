package calc

import (
	"testing"
	"time"
)

// parts is a library whose renew call is made of two sends, as Redisson's: of
// 24 ms at least and of 265 ms as it is usually run.
type parts struct{ Generic }

func (parts) Traits() Traits {
	t := Generic{}.Traits()
	t.Ratio, t.AfterCall = 3*One, true
	return t
}

func (parts) LeastCall(rtt time.Duration) (least, usual time.Duration, why string) {
	least = max(24*ms, 2*rtt)
	return least, max(265*ms, least), "two sends"
}

// By hand, with I = T/3, k = 1, P = 0 and M = 101 ms: I + (I + Tr) + Tr +
// min(Tr, M) + M <= T.
func TestLeastCall(t *testing.T) {
	solve := func(margin, rtt, rto time.Duration) Solution {
		in := Inputs{Pause: Claim(0, "t"), Margin: Claim(margin, "t"), Mode: Renewed, Library: parts{}}
		if rtt > 0 {
			in.RTT = Claim(rtt, "t")
		}
		if rto > 0 {
			in.RTO = Claim(rto, "t")
		}
		resolved, err := in.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		return Solve(resolved)
	}
	// Tr 101 ms: T/3 = 4 x 101. Tr 265 ms: T/3 = 2 x 265 + 2 x 101.
	if s := solve(101*ms, 0, 0); s.TTLMin != 1212*ms || s.Lease.TTL != 2200*ms || s.Lease.Call != 265*ms || s.CallWhy != "two sends" {
		t.Errorf("T_min %v, lease %+v, %q", s.TTLMin, s.Lease, s.CallWhy)
	}
	// A takeover of T + M within 2 s has no room for the usual call.
	if s := solve(101*ms, 0, 2*time.Second); s.TTLMin != 1212*ms || s.Lease.TTL != 1300*ms || s.Lease.Call != 101*ms || s.CallWhy != "" {
		t.Errorf("T_min %v, lease %+v, %q", s.TTLMin, s.Lease, s.CallWhy)
	}
	// Two sends of a round trip cannot be done without: Tr 200 ms, T/3 = 2 x 200 + 2 x 101.
	if s := solve(101*ms, 100*ms, 2100*ms); s.TTLMin != 1806*ms || s.Lease.Call != 200*ms {
		t.Errorf("T_min %v, lease %+v", s.TTLMin, s.Lease)
	}
	if s := solve(101*ms, 100*ms, 2*time.Second); s.Solved { // T + 101 ms + 100 ms
		t.Errorf("a takeover of 2 s has room for %+v", s.Lease)
	}
	// A margin above the usual call is the call: T/3 = 4 x 300.
	if s := solve(300*ms, 0, 0); s.TTLMin != 3600*ms || s.Lease.Call != 300*ms || s.CallWhy != "" {
		t.Errorf("T_min %v, lease %+v, %q", s.TTLMin, s.Lease, s.CallWhy)
	}
}
