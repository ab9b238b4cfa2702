package calc

import (
	"math/big"
	"time"
)

// RenewedLease is the lease of a TTL: I = T/n, Tr = M or the library's least
// call, but at most I/2, r by the library.
func RenewedLease(in Inputs, ttl time.Duration) Lease { return renewedLease(in, ttl, in.call()) }

// renewedLease is the lease of a TTL with renew calls of up to longest.
func renewedLease(in Inputs, ttl, longest time.Duration) Lease {
	traits := in.Library.Traits()
	interval := in.Ratio.Share(ttl)
	if !traits.ExactRatio {
		interval = floorTo(interval, traits.IntervalQuantum)
	}
	least, _, _ := in.leastCall()
	call := min(longest, interval/2)
	if whole := floorTo(call, traits.IntervalQuantum); whole >= least && whole > 0 {
		call = whole
	}
	return in.Renewals(ttl, interval, call)
}

// Renewals is the lease of a TTL, an interval and a call, as the library
// renews it: r, b and how late its timer may be.
func (in Inputs) Renewals(ttl, interval, call time.Duration) Lease {
	traits := in.Library.Traits()
	l := Lease{TTL: ttl, Interval: interval, Call: call, Spacing: interval, AfterCall: traits.AfterCall, Late: traits.Late, OneChance: traits.OneChance}
	switch b, retries := in.backoff(); {
	case retries:
		l.Backoff, l.Spacing = b, sum(call, b)
	case l.AfterCall:
		l.Spacing = sum(call, interval)
	}
	return l
}

// call is Tr before I/2 cuts it: the margin, and not less than the library can
// say, since a timeout of 0 means "none" to most clients, or make.
func (in Inputs) call() time.Duration {
	least, _, _ := in.leastCall()
	return max(in.Margin.Value, in.Library.Traits().IntervalQuantum, least, 1)
}

// leastCall is what the library says of its shortest renew call; a round trip
// where it says nothing (R2).
func (in Inputs) leastCall() (least, usual time.Duration, why string) {
	if lib, says := in.Library.(Calls); says {
		least, usual, why = lib.LeastCall(in.RTT.Value)
	}
	least = max(least, in.RTT.Value)
	return least, max(usual, least), why
}

// backoff is b, and whether a failed renewal is tried again after it rather
// than at the next tick.
func (in Inputs) backoff() (time.Duration, bool) {
	if in.Backoff.Known {
		return in.Backoff.Value, true
	}
	traits := in.Library.Traits()
	return traits.Backoff, traits.RetryAfter
}

// renewedMin is the least TTL that meets R1 and R2 with renew calls of up to
// call and at least least, rounded up; ok is false when no TTL does, which is
// when k + 1 >= n(1 - rho).
//
// Tr is the smaller of a call and I/2, so a constraint that holds with either
// of them holds: each is solved with both and the lesser TTL counts.
func renewedMin(in Inputs, call, least time.Duration) (ttl time.Duration, ok bool) {
	if in.Library.Traits().OneChance && in.Failures > 0 {
		return 0, false
	}
	n := big.NewRat(int64(in.Ratio), int64(One))
	perN := new(big.Rat).Inv(n)
	worth := big.NewRat(int64(One-in.Drift), int64(One))
	m, p, k := rat(in.Margin.Value), rat(in.Pause.Value), big.NewRat(int64(in.Failures), 1)
	tr := rat(call)
	half := new(big.Rat).Mul(perN, big.NewRat(1, 2))

	// R1: I + k·r + Tr + P + M <= T(1 - rho), as fixed + share·T <= worth·T.
	b, retries := in.backoff()
	tries := big.NewRat(1, 1) // calls that cost a Tr
	late := rat(in.Library.Traits().Late)
	fixed := add(add(p, m), late)
	share := new(big.Rat).Set(perN)
	if retries {
		fixed = add(fixed, new(big.Rat).Mul(k, rat(b)))
	} else {
		share = add(share, new(big.Rat).Mul(k, perN))
	}
	afterCall := in.Library.Traits().AfterCall
	if retries || afterCall {
		tries = add(tries, k) // the failed ones
	}
	// The call that starts the timer is confirmed, within the margin.
	start, startHalf := new(big.Rat), new(big.Rat)
	if afterCall {
		start, startHalf = rat(min(call, in.Margin.Value)), half
	}
	withCall := solve(add(add(fixed, start), new(big.Rat).Mul(tries, tr)), sub(worth, share))
	withHalf := solve(fixed, sub(sub(sub(worth, share), new(big.Rat).Mul(tries, half)), startHalf))
	r1 := lesser(withCall, withHalf)
	if afterCall && call > in.Margin.Value {
		r1 = lesser(r1, solve(add(fixed, start), sub(sub(worth, share), new(big.Rat).Mul(tries, half))))
	}

	// R2: I + 2·Tr + b <= T.
	one := big.NewRat(1, 1)
	r2 := lesser(
		solve(add(add(rat(b), late), add(tr, tr)), sub(one, perN)),
		solve(add(rat(b), late), sub(one, add(perN, perN))),
	)
	if r1 == nil || r2 == nil {
		return 0, false
	}
	shortest := r1
	if r2.Cmp(shortest) > 0 {
		shortest = r2
	}
	// R2: Tr >= rtt, with Tr <= I/2.
	if floor := new(big.Rat).Mul(rat(least), add(n, n)); floor.Cmp(shortest) > 0 {
		shortest = floor
	}
	return ceilRat(shortest)
}

// solve is the least T with fixed <= share·T, nil when there is none.
func solve(fixed, share *big.Rat) *big.Rat {
	if share.Sign() == 0 && fixed.Sign() == 0 { // every T, of nothing to survive
		return new(big.Rat)
	}
	if share.Sign() <= 0 {
		return nil
	}
	return new(big.Rat).Quo(fixed, share)
}

func lesser(a, b *big.Rat) *big.Rat {
	if a == nil || (b != nil && b.Cmp(a) < 0) {
		return b
	}
	return a
}

func rat(d time.Duration) *big.Rat { return new(big.Rat).SetInt64(int64(d)) }
func add(a, b *big.Rat) *big.Rat   { return new(big.Rat).Add(a, b) }
func sub(a, b *big.Rat) *big.Rat   { return new(big.Rat).Sub(a, b) }

// ceilRat rounds up to whole nanoseconds; ok is false beyond forever.
func ceilRat(r *big.Rat) (time.Duration, bool) {
	quo, rem := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
	if rem.Sign() > 0 {
		quo.Add(quo, big.NewInt(1))
	}
	return time.Duration(quo.Int64()), quo.IsInt64()
}

// holds reports whether the lease as rounded still meets R1 and R2 (L2), with
// calls of at least least.
func (l Lease) holds(in Inputs, least time.Duration) bool {
	env := in.Env()
	return l.FailuresTolerated(env) >= in.Failures &&
		l.Call < l.Interval && l.Call >= least &&
		sum(l.Interval, l.Late, 2*l.Call, l.Backoff) <= l.TTL
}
