package monitor

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/spell"
)

// watches is the registry: one line a clock.
var watches = []func(*builder){
	watchAcquire, watchSuccess, watchHold, watchRemaining, watchRenewals, watchLost, watchTakeover, watchMaxHold, watchTimeouts,
}

// Windows. A tail is judged over an hour, because P99.9 needs thousands of
// samples; an event within ten minutes.
const (
	tailWindow  = "1h"
	shortWindow = "10m"
)

// beyond is true when more lie beyond the edge than a share of them should,
// by more than chance: three standard deviations of a Poisson count, and one.
func beyond(over, count, share string) string {
	return fmt.Sprintf("%s > 1 + %s * %s + 3 * sqrt(%s * %s)", over, share, count, share, count)
}

// over, under and count are of a histogram in a window: what lies above an
// edge, below it, and all. Only processes that have the edge count, each with
// its own: while a new edge is rolled out, the old processes' observations
// would all look to lie beyond it.
func over(s series, edge time.Duration, window string) string {
	return fmt.Sprintf("sum(increase(%s[%s]) - ignoring(le) increase(%s[%s]))", s.selector("_count"), window, s.within(edge), window)
}

func under(s series, edge time.Duration, window string) string {
	return fmt.Sprintf("sum(increase(%s[%s]))", s.within(edge), window)
}

func count(s series, edge time.Duration, window string) string {
	return fmt.Sprintf("sum(increase(%s[%s]) and ignoring(le) increase(%s[%s]))", s.selector("_count"), window, s.within(edge), window)
}

// quantile is for people to look at; alerts count instead.
func quantile(q string, s series, window string) string {
	return s.inSeconds(fmt.Sprintf("histogram_quantile(%s, sum by (le) (rate(%s[%s])))", q, s.selector("_bucket"), window))
}

func watchAcquire(b *builder) {
	got, ok := b.has("acquire wait", "lock_acquire_seconds")
	if !ok {
		return
	}
	limit := acquireLimit(b.p)
	b.needEdge(got[0], limit)
	n := b.record("acquire:count10m", count(got[0], limit, shortWindow))
	above := b.record("acquire:over10m", over(got[0], limit, shortWindow))
	p99 := b.record("acquire_seconds:p99", quantile("0.99", got[0], shortWindow))
	mean := b.record("acquire_seconds:mean10m", got[0].inSeconds(fmt.Sprintf("sum(rate(%s[%s])) / sum(rate(%s[%s]))",
		got[0].selector("_sum"), shortWindow, got[0].selector("_count"), shortWindow)))
	why := "500ms, where contention begins (LP306)"
	if limit < contentionLimit || b.p.AcquireWait != nil && *b.p.AcquireWait == limit {
		why = dur.Format(limit) + ", the planned acquire wait"
	}
	b.alert(Alert{Name: "LockAcquireSlow", Clock: "acquire wait", Severity: "warning", Expr: beyond(above, n, "0.01"), For: 5 * time.Minute, Threshold: dur.Format(limit),
		Summary:     "acquire P99 of " + b.p.In.Service + " is above " + why,
		Description: "Callers queue for the lock longer than planned. Look for a longer hold or more callers on one key; a finer key or a limit upstream helps, a longer wait does not."})
	b.panel(Panel{Title: "acquire wait P99", Unit: "s", Expr: p99, Limit: &limit})
	b.panel(Panel{Title: "acquire wait, mean", Unit: "s", Expr: mean})
}

// watchSuccess tolerates the failures that follow a crash: they end when the
// lease does (A3).
func watchSuccess(b *builder) {
	got, ok := b.has("acquire success", "lock_acquire_seconds", "lock_acquire_failures_total")
	if !ok {
		return
	}
	fails := got[1].selector("")
	b.need(fails)
	failed := b.record("acquire:failed10m", fmt.Sprintf("sum(increase(%s[%s]))", fails, shortWindow))
	n := fmt.Sprintf("lockplan:acquire:count10m{lock=%s}", quote(b.p.In.Service))
	rate := b.record("acquire:success10m", "1 - "+failed+" / ("+n+" > 0)")
	pending := 5 * time.Minute
	if b.p.AcquireWait != nil {
		pending = max(pending, calc.FailsAfterCrash(b.p.In.Library, b.p.Solution.Lease, b.p.In.Env(), *b.p.AcquireWait))
	}
	b.alert(Alert{Name: "LockAcquireFailing", Clock: "acquire wait", Severity: "critical", Expr: beyond(failed, n, "0.01"), For: pending, Threshold: "1%",
		Summary:     "more than 1 % of the attempts to acquire " + b.p.In.Service + " fail",
		Description: "It lasts longer than a takeover after a crash explains. Check the unit of the configured wait, the lock service, and whether a holder is stuck."})
	b.panel(Panel{Title: "acquire success rate", Unit: "percentunit", Expr: rate})
}

func watchHold(b *builder) {
	got, ok := b.has("hold", "lock_hold_seconds")
	if !ok {
		return
	}
	limit, q := holdLimit(b.p), b.p.In.Percentile
	b.needEdge(got[0], limit)
	n := b.record("hold:count1h", count(got[0], limit, tailWindow))
	above := b.record("hold:over1h", over(got[0], limit, tailWindow))
	tail := b.record("hold_seconds:tail1h", quantile(strconv.FormatFloat(q, 'f', -1, 64), got[0], tailWindow))
	consequence := "The lease of " + dur.Format(*b.p.TTL) + " was planned for " + dur.Format(limit) + ": leases end while work goes on."
	if renewed(b.p) {
		consequence = "The maximum hold of " + dur.Format(*b.p.MaxHold) + " and the waits of others were planned for " + dur.Format(limit) + "."
	}
	b.alert(Alert{Name: "LockHoldAbovePlan", Clock: "critical section", Severity: "critical", Expr: beyond(above, n, rest(q)), For: 5 * time.Minute, Threshold: dur.Format(limit),
		Summary:     "hold " + spell.Percentile(q) + " of " + b.p.In.Service + " is above " + dur.Format(limit) + ", the plan's hold",
		Description: consequence + " Plan again from fresh observations, or undo the release that made it slower."})
	b.panel(Panel{Title: "hold " + spell.Percentile(q), Unit: "s", Expr: tail, Limit: &limit})
}

// watchRemaining is for a renewed lease: for a fixed one the hold says the
// same.
func watchRemaining(b *builder) {
	if !renewed(b.p) {
		return
	}
	got, ok := b.has("lease remaining", "lock_lease_remaining_seconds")
	if !ok {
		return
	}
	limit := remainingLimit(b.p)
	b.needEdge(got[0], limit)
	n := b.record("lease_remaining:count1h", count(got[0], limit, tailWindow))
	below := b.record("lease_remaining:under1h", under(got[0], limit, tailWindow))
	low := b.record("lease_remaining_seconds:low1h", quantile(rest(b.p.In.Percentile), got[0], tailWindow))
	b.alert(Alert{Name: "LockLeaseNearlyUsedUp", Clock: "lease TTL", Severity: "warning", Expr: beyond(below, n, rest(b.p.In.Percentile)), For: 5 * time.Minute, Threshold: dur.Format(limit),
		Summary:     "renewals of " + b.p.In.Service + " are confirmed with less than " + dur.Format(limit) + " of the lease left",
		Description: "That is past the stop-work point " + dur.Format(*b.p.StopWork) + " after the last renewal was sent: one more pause loses the lease. Look at pauses and at the renew calls."})
	b.panel(Panel{Title: "lease remaining, lowest " + percent(rest(b.p.In.Percentile)), Unit: "s", Expr: low, Limit: &limit, Below: true})
}

// watchRenewals fires when the failures of one process outnumber what k in a
// row can explain: if no run of failures were longer than k, each success would
// follow at most k. That is true of each holder and false of a sum: healthy
// processes would hide the one that renews nothing. A longer run among enough
// successes is not seen.
func watchRenewals(b *builder) {
	if !renewed(b.p) {
		return
	}
	got, ok := b.has("renew failures", "lock_renewals_total", "lock_renew_failures_total")
	if !ok {
		return
	}
	k := b.p.In.Failures
	// Long enough for several runs of k + 1.
	window := max(5*time.Minute, (time.Duration(4*(k+1))*(*b.p.RenewInterval)).Truncate(time.Minute)+time.Minute)
	all, failed := got[0].selector(""), got[1].selector("")
	b.need(all, failed)
	w := promDuration(window)
	fails := b.record("renew:failed", fmt.Sprintf("sum(round(increase(%s[%s])))", failed, w))
	tries := b.record("renew:all", fmt.Sprintf("sum(round(increase(%s[%s])))", all, w))
	share := b.record("renew:failed_share", fails+" / ("+tries+" > 0)")
	without := differing(got[0].matchers, got[1].matchers)
	eachFails, eachTries := perProcess(without, fmt.Sprintf("round(increase(%s[%s]))", failed, w)), perProcess(without, fmt.Sprintf("round(increase(%s[%s]))", all, w))
	excess := b.record("renew:excess", fmt.Sprintf("max(%s - %d * (%s - %s + 1))", eachFails, k, eachTries, eachFails))
	// Failures whose attempts carry other labels would be compared with nothing.
	b.needs = append(b.needs, "count("+perProcess(without, failed)+" unless "+perProcess(without, all)+")")
	b.alert(Alert{Name: "LockRenewalsFailing", Clock: "renew interval", Severity: "critical",
		Expr: excess + " > 0", Threshold: fmt.Sprintf("%d of %d in %s", k, k+1, w),
		Summary:     fmt.Sprintf("more than %d of %d renewals of %s fail in %s: more than runs of the %d in a row that the plan tolerates explain", k, k+1, b.p.In.Service, w, k),
		Description: "Leases of " + dur.Format(*b.p.TTL) + " are renewed every " + dur.Format(*b.p.RenewInterval) + " with " + dur.Format(*b.p.RenewTimeout) + " a call. Check the lock service, its pool and the network before leases are lost."})
	b.panel(Panel{Title: "failed renewals", Unit: "percentunit", Expr: share})
}

// perProcess drops the labels by which two metrics of one process differ.
func perProcess(without []string, expr string) string {
	if len(without) == 0 {
		return expr
	}
	return "sum without (" + strings.Join(without, ", ") + ") (" + expr + ")"
}

func watchLost(b *builder) {
	got, ok := b.has("expired while running", "lock_leases_lost_total")
	if !ok {
		return
	}
	s := got[0].selector("")
	b.need(s)
	lost := b.record("leases_lost:increase10m", fmt.Sprintf("sum(increase(%s[%s]))", s, shortWindow))
	next := "Without a fencing token an old holder may have written after a new one: compare what both wrote."
	if b.p.In.Fencing == calc.FencingYes {
		next = "The fencing token refuses the old holder's late writes; its work must be done again."
	}
	b.alert(Alert{Name: "LockLeaseLost", Clock: "lease TTL", Severity: "critical", Expr: lost + " > 0.5", Threshold: "0",
		Summary:     "a lease of " + b.p.In.Service + " ended while its critical section still ran",
		Description: "The lease is " + dur.Format(*b.p.TTL) + ", work should stop " + dur.Format(*b.p.StopWork) + " after the last confirmed call was sent. " + next})
	b.panel(Panel{Title: "leases lost in 10 minutes", Unit: "short", Expr: lost})
}

func watchTakeover(b *builder) {
	got, ok := b.has("takeover", "lock_takeover_seconds")
	if !ok || b.p.TakeoverWorst == nil { // the next run of a schedule takes the lock, and nobody says when that is
		return
	}
	limit := takeoverLimit(b.p)
	b.needEdge(got[0], limit)
	slow := b.record("takeover:over10m", over(got[0], limit, shortWindow))
	worst := b.record("takeover_seconds:worst1h", quantile("1", got[0], tailWindow))
	what := "the worst that the plan expects"
	if b.p.In.RTO.Known {
		what = "the recovery target"
	}
	// increase extrapolates the two counts apart by a fraction; a takeover
	// counts at least one.
	b.alert(Alert{Name: "LockTakeoverSlow", Clock: "lease TTL", Severity: "critical", Expr: slow + " > 0.5", Threshold: dur.Format(limit),
		Summary:     "a takeover of " + b.p.In.Service + " took longer than " + dur.Format(limit) + ", " + what,
		Description: "The plan expects at most " + dur.Format(*b.p.TakeoverWorst) + " after a crash. Look for a lease longer than " + dur.Format(*b.p.TTL) + ", slow polling, or a lock service that frees late."})
	b.panel(Panel{Title: "worst takeover in an hour", Unit: "s", Expr: worst, Limit: &limit})
}

func watchMaxHold(b *builder) {
	if !renewed(b.p) {
		return
	}
	got, ok := b.has("maximum hold", "lock_held_seconds")
	if !ok {
		return
	}
	s := got[0].selector("")
	b.need(s)
	oldest := b.record("held_seconds:max", got[0].inSeconds("max("+s+")"))
	b.alert(Alert{Name: "LockHeldTooLong", Clock: "maximum hold", Severity: "critical", Expr: oldest + " > " + dur.Seconds(*b.p.MaxHold), Threshold: dur.Format(*b.p.MaxHold),
		Summary:     b.p.In.Service + " is held for longer than " + dur.Format(*b.p.MaxHold) + ", its maximum",
		Description: "A task is stuck and still renews its lease. It should have stopped renewing by itself; end it, and let the lease run out."})
	b.panel(Panel{Title: "oldest lock held", Unit: "s", Expr: oldest, Limit: b.p.MaxHold})
}

// watchTimeouts is D11: a surge against the hour before, because some always
// time out.
func watchTimeouts(b *builder) {
	got, ok := b.has("call timeouts", "lock_call_timeouts_total")
	if !ok {
		return
	}
	s := got[0].selector("")
	now := b.record("call_timeouts:increase5m", fmt.Sprintf("sum(increase(%s[5m]))", s))
	before := b.record("call_timeouts:before5m", fmt.Sprintf("sum(increase(%s[1h] offset 5m)) / 12", s))
	b.alert(Alert{Name: "LockCallTimeouts", Clock: "renew-call timeout", Severity: "warning", Expr: now + " > 3 + 5 * (" + before + " or " + now + " * 0)", Threshold: "5 x the hour before",
		Summary:     "calls of " + b.p.In.Service + " to the lock service time out far more often than in the hour before",
		Description: "The plan allows " + dur.Format(b.p.In.Margin.Value) + " for one call. Look at the lock service, its pool and the network."})
}

// percent is a fraction such as "0.001" as "0.1 %".
func percent(fraction string) string {
	r, err := calc.ParseRatio(fraction)
	if err != nil {
		return fraction
	}
	return (100 * r).String() + " %"
}

// promDuration spells whole minutes as Prometheus does.
func promDuration(d time.Duration) string {
	if d%time.Minute == 0 {
		return strconv.FormatInt(int64(d/time.Minute), 10) + "m"
	}
	return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
}
