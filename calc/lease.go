package calc

import (
	"time"
)

// Env is what surrounds a lease: the pause P, the margin M, the drift rho,
// the hold h, the waiter's detection delay W and the round trip, each already
// resolved to a number.
type Env struct {
	Hold   time.Duration
	Pause  time.Duration
	Margin time.Duration
	Detect time.Duration
	RTT    time.Duration
	Drift  Ratio
}

// Env reads the numbers of resolved inputs; an unknown round trip or hold
// counts 0, as C5 has it.
func (in Inputs) Env() Env {
	return Env{
		Hold: in.Hold.Value, Pause: in.Pause.Value, Margin: in.Margin.Value,
		Detect: in.Detect.Value, RTT: in.RTT.Value, Drift: in.Drift,
	}
}

// Lease is a lease as the service grants it and the holder renews it.
type Lease struct {
	TTL      time.Duration // T
	Interval time.Duration // I; 0 is a fixed lease
	Call     time.Duration // Tr, worst time of one whole renew call
	Spacing  time.Duration // r, between attempts while renewals fail
	Backoff  time.Duration // b
	// AfterCall is set where I and r count from the end of a call: r holds the
	// failed call already, and see Due.
	AfterCall bool
	// Late is how long after it is due a renewal may be sent: the step of the
	// library's timer.
	Late time.Duration
	// OneChance is set where a renewal that fails is the last.
	OneChance bool
}

// Renews reports whether the lease is renewed.
func (l Lease) Renews() bool { return l.Interval > 0 }

// Due is how long after a confirmed renewal was sent the next one is sent at
// the latest: I, the step of a coarse timer, and where the timer starts when a
// call ends the call before it, which took up to the margin.
func (l Lease) Due(env Env) time.Duration {
	if l.AfterCall {
		return sum(l.Interval, l.Late, min(l.Call, env.Margin))
	}
	return sum(l.Interval, l.Late)
}

// AtWorst is the lease with every renewal as late as the library's timer may
// send it.
func (l Lease) AtWorst() Lease {
	l.Interval, l.Late = sum(l.Interval, l.Late), 0
	return l
}

// Worth is T(1-rho): the lease as the holder's clock may count on it.
func (l Lease) Worth(drift Ratio) time.Duration {
	return mulDiv(l.TTL, int64(One-drift), int64(One), false)
}

// StopWork is S of F2 and R4: how long after the holder sent its last
// confirmed acquire or renewal a side effect may still start. It is negative
// when the lease cannot cover even an idle holder.
func (l Lease) StopWork(env Env) time.Duration {
	return l.Worth(env.Drift) - sum(env.Pause, env.Margin)
}

// FailuresTolerated is C1: renewals in a row that may fail while a full pause
// happens too; negative when not even the first attempt is safe.
func (l Lease) FailuresTolerated(env Env) int {
	slack := l.Worth(env.Drift) - sum(env.Pause, env.Margin, l.Call, l.Due(env))
	switch {
	case slack < 0:
		return -1
	case l.OneChance:
		return 0
	}
	return int(slack / max(l.Spacing, 1))
}

// OutageSurvived is C2: the lock-service outage alone that a renewed lease
// always survives.
//
// Where timers start when a call ends, an outage that refuses calls brings the
// attempts closer together, I apart, and the last of them may still hang and
// put the next off by r. With m attempts of r in the slack, none that fails
// before m·I does that, and none before the slack less r.
func (l Lease) OutageSurvived(env Env) time.Duration {
	slack := l.Worth(env.Drift) - sum(env.Margin, l.Due(env))
	if slack < 0 || l.OneChance {
		return 0
	}
	slow := floorTo(slack, l.Spacing)
	if !l.AfterCall || l.Spacing < l.Interval || slow == 0 {
		return slow
	}
	return max(times(int(slow/l.Spacing), l.Interval), slack-l.Spacing)
}

// WorstRefusals are the failed calls, beside one that hangs at the end, with
// which an outage just longer than C2 loses the lease: so many that hang, one
// of a time of its own, the others refused at once; ok is false where only
// hanging calls count.
func (l Lease) WorstRefusals(env Env) (hang int, one time.Duration, refused int, ok bool) {
	slack := l.Worth(env.Drift) - sum(env.Margin, l.Due(env))
	if !l.AfterCall || l.Spacing < l.Interval || l.OneChance || slack < l.Spacing {
		return 0, 0, 0, false
	}
	all := int(slack / l.Spacing)
	extra := slack - l.Spacing - times(all, l.Interval)
	if extra >= 0 {
		extra++ // the attempt that hangs is one too late
	}
	extra = max(0, extra)
	call := l.Spacing - l.Interval
	if call > 0 {
		hang, one = int(extra/call), extra%call
	}
	return hang, one, all - hang - 1, true
}

// PauseSurvived is C3: the pause alone that is always survived; negative when
// even none is.
func (l Lease) PauseSurvived(env Env) time.Duration {
	if l.Renews() {
		return l.Worth(env.Drift) - sum(l.Due(env), env.Margin)
	}
	return l.Worth(env.Drift) - sum(env.Hold, env.Margin)
}

// Takeover is C5: the worst and the mean time until a waiter owns the lock of
// a crashed holder, and the worst after a clean release.
func (l Lease) Takeover(lib Library, env Env) (worst, mean, clean time.Duration) {
	clean = sum(env.Detect, env.RTT)
	worst = sum(lib.Granted(l.TTL), lag(lib, l.TTL), clean)
	if n, late := lib.(Notices); late {
		clean = max(clean, sum(n.Notice(l.TTL), env.RTT))
	}
	return worst, worst - l.Interval/2, clean
}

// RenewalsPerSecond is R5 for a number of concurrent holders.
func (l Lease) RenewalsPerSecond(holders int) float64 {
	return float64(holders) / l.Interval.Seconds()
}
