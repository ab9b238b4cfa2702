package calc

import "time"

// Acquire is the answer of section 6.
type Acquire struct {
	Known    bool          // a deadline or a queue SLA is given
	Wait     time.Duration // A; zero or negative is infeasible
	Attempt  time.Duration // Ta, the socket timeout of one attempt
	Attempts int           // attempts that fit into A; 0 when A is not known
}

// SolveAcquire is A1 and A2 on resolved inputs: A = D - B - R - C, Ta the
// lesser of M and A, and the attempts that fit with a longest retry delay d.
// Without a deadline the queue SLA is the wait (A5).
func SolveAcquire(in Inputs, delay time.Duration) Acquire {
	quantum := in.Library.Traits().IntervalQuantum
	a := Acquire{Attempt: wholeQuanta(in.Margin.Value, quantum)}
	switch {
	case in.Deadline.Known:
		a.Wait = in.Deadline.Value - sum(in.Work.Value, in.Reply.Value, in.Confirm.Value)
	case in.QueueSLA.Known:
		a.Wait = in.QueueSLA.Value
	default:
		return a
	}
	a.Known = true
	if a.Wait <= 0 {
		return a
	}
	a.Wait = wholeQuanta(a.Wait, quantum)
	if a.Attempt == 0 { // no margin: only the wait itself bounds an attempt
		a.Attempt = a.Wait
	}
	a.Attempt = min(a.Attempt, a.Wait)
	a.Attempts = Attempts(a.Wait, a.Attempt, delay)
	return a
}

// wholeQuanta rounds d down to a whole number of quanta; what is shorter than
// one stays as it is, because a timeout of 0 means something else everywhere.
func wholeQuanta(d, quantum time.Duration) time.Duration {
	if whole := floorTo(d, quantum); whole > 0 {
		return whole
	}
	return d
}

// Attempts is A2's count: how many attempts of length attempt fit into wait
// when the longest delay between two is delay.
func Attempts(wait, attempt, delay time.Duration) int {
	if attempt+delay <= 0 {
		return 0
	}
	return int(sum(wait, delay) / sum(attempt, delay))
}

// Utilisation is A4's lambda * E[H], the share of time that one key is held;
// 0 when the rate or the mean hold is not known.
func (in Inputs) Utilisation() float64 {
	if !in.HoldMean.Finite() {
		return 0
	}
	return in.AcquireRate * in.HoldMean.Value.Seconds()
}

// Chain is the worst case of a call with its client's own retries (A2):
// (retries + 1)·timeout + retries·interval.
func Chain(timeout time.Duration, retries int, interval time.Duration) time.Duration {
	return sum(times(retries+1, timeout), times(retries, interval))
}

// LastWait is A4: what the last of n contenders waits when each holds for h.
func LastWait(contenders int, hold time.Duration) time.Duration {
	return times(max(contenders-1, 0), hold)
}

// FailsAfterCrash is A3: for how long callers that wait only `wait` fail
// after a holder crashed, 0 when they outlive it.
func FailsAfterCrash(lib Library, l Lease, env Env, wait time.Duration) time.Duration {
	return max(0, sum(lib.Granted(l.TTL), lag(lib, l.TTL), env.Detect)-wait)
}
