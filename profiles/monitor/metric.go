package monitor

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/plan"
)

// kind is a Prometheus metric type.
type kind string

const (
	histogram kind = "histogram"
	counter   kind = "counter"
	gauge     kind = "gauge"
)

// metric is one row of the contract: what a service exports so that its plan
// can be watched.
type metric struct {
	name string // ours; lockplan.yaml's metrics: maps it to the user's
	kind kind
	what string // what is counted, and when
	// edge is the bucket edge that the histogram must have, because an alert
	// counts what lies beyond it: the plan's own number.
	edge func(plan.Plan) time.Duration
	// renewed is set for what a fixed lease has no use of.
	renewed bool
}

// contract is every metric, by the clock it watches (A16, C7, A12, D11).
var contract = []metric{
	{name: "lock_acquire_seconds", kind: histogram, edge: acquireLimit,
		what: "wait of every attempt to acquire, observed when it ends, whether it got the lock or not"},
	{name: "lock_acquire_failures_total", kind: counter,
		what: "attempts to acquire that gave up or failed; a part of lock_acquire_seconds_count; exported as 0 from the start"},
	{name: "lock_hold_seconds", kind: histogram, edge: holdLimit,
		what: "time from the acquire call's return to the release, observed at the release"},
	{name: "lock_lease_remaining_seconds", kind: histogram, edge: remainingLimit, renewed: true,
		what: "what was left of the lease when a renewal was confirmed or the lock released, counted from when the last confirmed call was sent; 0 when it had run out"},
	{name: "lock_renewals_total", kind: counter, renewed: true, what: "attempts to renew, failed ones too"},
	{name: "lock_renew_failures_total", kind: counter, renewed: true, what: "attempts to renew that failed or timed out; a part of lock_renewals_total; exported as 0 from the start"},
	{name: "lock_leases_lost_total", kind: counter,
		what: "leases that ended while their critical section still ran; exported as 0 from the start"},
	{name: "lock_takeover_seconds", kind: histogram, edge: takeoverLimit,
		what: "time from a dead holder's last confirmed renewal (or its acquire) to the next holder's acquire, observed by the next holder; exported with no observation from the start, else a process's first one is not seen"},
	{name: "lock_held_seconds", kind: gauge, renewed: true, what: "age of the lock held longest by the process at the moment, 0 when none is held"},
	{name: "lock_call_timeouts_total", kind: counter,
		what: "calls to the lock service that timed out (Redisson: RedisResponseTimeoutException)"},
}

// contentionLimit is where LP306 sees contention: an acquire P99 above it.
const contentionLimit = 500 * time.Millisecond

// acquireLimit is the lesser of the plan's acquire wait and 500 ms.
func acquireLimit(p plan.Plan) time.Duration {
	if p.AcquireWait != nil {
		return min(*p.AcquireWait, contentionLimit)
	}
	return contentionLimit
}

// holdLimit is the hold that the plan counts on: its hold term, or the maximum
// hold where a renewed lease has no finite one.
func holdLimit(p plan.Plan) time.Duration {
	if p.In.Hold.Finite() {
		return p.In.Hold.Value
	}
	return *p.MaxHold
}

// remainingLimit is T - S: with less than that left, work should have stopped.
func remainingLimit(p plan.Plan) time.Duration { return *p.TTL - *p.StopWork }

// takeoverLimit is the recovery target, or the worst takeover of the plan
// where none is given.
func takeoverLimit(p plan.Plan) time.Duration {
	if p.In.RTO.Known {
		return p.In.RTO.Value
	}
	if p.TakeoverWorst == nil { // not known without the period of a schedule, but longer than the lease
		return *p.TTL
	}
	return *p.TakeoverWorst
}

func renewed(p plan.Plan) bool { return p.Solution.Mode == calc.Renewed }
