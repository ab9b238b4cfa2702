package calc

import "time"

// Library is a lock library as the model sees it (section 8). Every method
// takes the lease TTL as configured, already in the library's quantum.
type Library interface {
	Name() string
	Traits() Traits
	// Granted is the TTL that the service really gives.
	Granted(ttl time.Duration) time.Duration
	// FreeMin is the earliest instant after the last successful renewal at
	// which somebody else can own the lock.
	FreeMin(ttl time.Duration) time.Duration
	// FreeMax is the latest instant at which an expired lease is really free;
	// lag(T) of the model is FreeMax - Granted.
	FreeMax(ttl time.Duration) time.Duration
	// Loss is the latest instant at which the library itself tells a cut-off
	// holder that it lost the lease; ok is false when it never does.
	Loss(ttl time.Duration) (loss time.Duration, ok bool)
}

// Notices is a library whose waiters learn of a clean release by a poll of
// their own, which is in the lag after a crash.
type Notices interface {
	// Notice is the longest such poll.
	Notice(ttl time.Duration) time.Duration
}

// Calls is a library whose renew call is made of parts, such as resends and
// timers, which cannot all be as short as the margin.
type Calls interface {
	// LeastCall is the shortest whole renew call on a network of a round trip,
	// and the shortest that the library is run with where the recovery target
	// has room for it; why says what takes that long.
	LeastCall(rtt time.Duration) (least, usual time.Duration, why string)
}

// Scheduled is a library whose lock nobody waits for: the next run of a
// schedule takes it.
type Scheduled interface {
	// Trigger is W, the longest time between two runs; unbounded where nobody
	// says it.
	Trigger() Bound
}

// Traits are the facts about a library that do not depend on the TTL.
type Traits struct {
	Quantum         time.Duration // resolution of a TTL; TTLs are rounded up to it
	IntervalQuantum time.Duration // resolution of intervals, waits and timeouts; rounded down
	MinTTL, MaxTTL  time.Duration // legal range; 0 is no limit
	NoFixed         bool          // always renews
	NoRenewed       bool          // never renews
	Ratio           Ratio         // n = T/I where the library fixes it; 0 when free
	ExactRatio      bool          // I is T/n to the nanosecond: nobody sets it, so nothing rounds it to IntervalQuantum
	RetryAfter      bool          // a failed renewal is tried again after Tr + b; else at the next tick, r = I
	Backoff         time.Duration // the library's own b, when RetryAfter
	Late            time.Duration // a renewal is sent up to so long after it is due: the step of the library's timer
	OneChance       bool          // a renewal that fails is the last: no plan with failures to tolerate
	Silent          bool          // nobody is told when a renewal finds the lock gone
	AfterCall       bool          // the wait for the next renewal begins when the last call ended, not when it was sent
	Drift           Ratio         // clock-rate error to plan with when none is given
	Fencing         bool          // a fencing token comes with the lock
}

// Generic is a lock of no particular library: any TTL in whole
// milliseconds, freed exactly when it ends, failed renewals tried again at
// the next tick, no signal of loss, no fencing token.
type Generic struct{}

// Name is "generic".
func (Generic) Name() string { return "generic" }

// Traits are those of a plain key with a TTL in milliseconds.
func (Generic) Traits() Traits {
	return Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond}
}

// Granted is the TTL asked for.
func (Generic) Granted(ttl time.Duration) time.Duration { return ttl }

// FreeMin is the TTL.
func (Generic) FreeMin(ttl time.Duration) time.Duration { return ttl }

// FreeMax is the TTL: lag is 0.
func (Generic) FreeMax(ttl time.Duration) time.Duration { return ttl }

// Loss is never signalled.
func (Generic) Loss(time.Duration) (time.Duration, bool) { return 0, false }

// lag is how long after the granted TTL an expired lease is really freed.
func lag(lib Library, ttl time.Duration) time.Duration {
	return max(0, lib.FreeMax(ttl)-lib.Granted(ttl))
}
