package sim

import (
	"math/rand/v2"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
)

// Plan is what is simulated: the clocks of a plan and the bounds that it was
// made for.
type Plan struct {
	Lease    calc.Lease
	Env      calc.Env
	FreeMin  time.Duration // earliest and latest end of a lease that is not renewed
	FreeMax  time.Duration
	Stop     time.Duration // S; negative: the application does not watch it
	Loss     time.Duration // when the library tells a cut-off holder, which then stops; 0 is never
	Silent   bool          // a renewal that finds the lock gone tells nobody
	MaxHold  time.Duration // of a renewed lease; 0 is none
	Wait     time.Duration // A; 0 waits for ever
	Failures int           // k
	RTO      time.Duration // 0 is none
	Callers  int           // that want the lock at once, in scenario normal
	// Hold draws hold times of scenario normal, at most the planning bound;
	// nil holds for the bound itself.
	Hold Source
	// PausedHold is the hold that a full pause may come on top of, where that
	// is not the bound itself (B7).
	PausedHold time.Duration
	// Outage is the longest lock-service outage to survive; 0 is what the
	// lease survives by C2.
	Outage time.Duration
}

// Scenario is a kind of trouble. A trial of it sets a world up, at factor
// times the plan's bound, and says until when to play.
type Scenario struct {
	Name string
	What string
	set  func(p *Plan, factor float64, r *rand.PCG, w *World) time.Duration
	// loses predicts by the formulas whether a lease is lost, or a long hold
	// cut, at a factor; nil where that is not the question.
	loses func(p *Plan, factor float64) bool
	// Promised is false for what a plan cannot promise by itself.
	Promised bool
	// Renewed is of leases that are renewed only.
	Renewed bool
}

// Scenarios are all of them, in the order in which they are told.
var Scenarios = []Scenario{normal, longTail, gcPause, networkDelay, failover, failoverForgets, cutOff, unwatched, stuckTask, crash}

// Find is the scenario of that name.
func Find(name string) (Scenario, bool) {
	for _, s := range Scenarios {
		if s.Name == name {
			return s, true
		}
	}
	return Scenario{}, false
}

// times is f × d, rounded down.
func times(f float64, d time.Duration) time.Duration { return time.Duration(float64(f * float64(d))) }

// base is a world of a holder and a waiter where nothing goes wrong. The
// waiter takes over the instant it can.
func (p *Plan) base(r *rand.PCG, w *World) {
	*w = World{
		Worth: calc.Lease{TTL: p.FreeMin}.Worth(p.Env.Drift), Lag: Uniform(p.FreeMax - p.FreeMin),
		Interval: p.Lease.Interval, Call: p.Lease.Call, Spacing: p.Lease.Spacing,
		AfterCall: p.Lease.AfterCall, Stop: p.Stop, Loss: p.Loss, Silent: p.Silent, MaxHold: p.MaxHold,
		Clients: 2, Think: Always(1), Once: true, Work: Always(p.work()), Detect: Always(0),
		Gap: Always(dist.Inf), Pause: Always(0), Net: p.network(1),
	}
}

// alone leaves the maximum hold out, so that a fault shows what it does to the
// lease.
func (p *Plan) alone(r *rand.PCG, w *World) {
	p.base(r, w)
	w.MaxHold = 0
	w.AtOnce, w.Late = true, p.late()
}

// earliest has the service end the lease as early as it may in every other
// trial: where it may also keep it for long, that is where plans break.
func (p *Plan) earliest(r *rand.PCG, w *World) {
	if p.FreeMax > p.FreeMin && r.Uint64()&1 == 0 {
		w.Lag = Always(0)
	}
}

// late is how long the call took that started the timer of the first renewal,
// where that counts.
func (p *Plan) late() time.Duration {
	env := p.Env
	env.Margin = p.slowest()
	return p.Lease.Due(env) - p.Lease.Interval
}

// slowest is the slowest call that still counts as one: a renewal that takes
// longer than its timeout has failed, and failures are counted by k.
func (p *Plan) slowest() time.Duration {
	if p.Lease.Interval > 0 {
		return min(p.Env.Margin, p.Lease.Call)
	}
	return p.Env.Margin
}

// network is at factor times the slowest call. Without a stop-work point to watch,
// a fixed lease has the margin of one call, which the last write may use up.
func (p *Plan) network(factor float64) Network {
	margin := times(factor, p.slowest())
	if p.Stop < 0 && p.Lease.Interval == 0 {
		return Within{Sched: margin}
	}
	rtt := min(p.Env.RTT, margin)
	return Within{Sched: margin - rtt, RTT: rtt}
}

// before is how long before a renewal is due or the work ends a fault at its
// worst moment begins.
const before = 1

// early is by how much the end of a pause comes before the worst moment.
func early(pause time.Duration) time.Duration {
	if pause > 0 {
		return before
	}
	return 0
}

// phase is a moment of the first hold: just before a renewal is due or the
// work ends, where a fault is worst, or any other.
func (p *Plan) phase(r *rand.PCG, renewals int) time.Duration {
	l := p.Lease
	worst := p.Env.Hold
	if l.Interval > 0 {
		worst = p.late() + l.Interval + time.Duration(renewals)*l.Spacing
	}
	worst = max(worst, 1)
	if r.Uint64()&1 == 0 {
		return worst - before
	}
	return Uniform(worst).Draw(r)
}

// work is how long trials hold the lock: the bound, and of a renewed lease
// long enough for renewals to matter.
func (p *Plan) work() time.Duration {
	if l := p.Lease; l.Interval > 0 {
		return max(p.Env.Hold, 2*p.FreeMax+2*l.Interval+time.Duration(p.Failures+1)*l.Spacing)
	}
	return p.Env.Hold
}

// room is long enough for the lease of the first holder to end and for others
// to have theirs.
func (p *Plan) room() time.Duration {
	return 2*p.FreeMax + 2*p.Env.Detect + 2*p.Env.Margin + p.Lease.Interval + time.Second
}

// exposed is how long a hold goes on in trials of renewed leases: a few
// renewals show all that a day of them would.
func (p *Plan) exposed(hold time.Duration) time.Duration {
	if p.Lease.Interval > 0 {
		return min(hold, 10*p.Lease.Interval+2*p.FreeMax)
	}
	return hold
}

var normal = Scenario{
	Name: "normal", What: "callers compete, nothing fails", Promised: true,
	set: func(p *Plan, f float64, r *rand.PCG, w *World) time.Duration {
		p.base(r, w)
		w.Clients, w.Once = max(2, p.Callers), false
		w.Wait = p.Wait
		w.Work = scaled{p.holds(), f}
		w.Detect = Always(p.Env.Detect)
		w.ToTheEnd, w.Steady = true, true
		w.Think = Uniform(max(p.exposed(p.Env.Hold), time.Millisecond))
		rtt := min(p.Env.RTT, p.Env.Margin)
		w.Net = Measured{RTT: Uniform(rtt), Sched: Always(0)}
		return p.room() + 10*p.exposed(times(f, p.Env.Hold))
	},
}

func (p *Plan) holds() Source {
	if p.Hold == nil {
		return Always(p.Env.Hold)
	}
	return p.Hold
}

// scaled multiplies what a source draws.
type scaled struct {
	Source
	by float64
}

// Draw is one duration.
func (s scaled) Draw(r *rand.PCG) time.Duration {
	d := s.Source.Draw(r)
	if d == dist.Inf || s.by == 1 {
		return d
	}
	return times(s.by, d)
}

var longTail = Scenario{
	Name: "long-tail", What: "holds of the planning percentile", Promised: true,
	set: func(p *Plan, f float64, r *rand.PCG, w *World) time.Duration {
		p.base(r, w)
		hold := times(f, p.Env.Hold)
		w.Work = Always(hold)
		w.Net = Way{}
		w.ToTheEnd, w.Steady = true, true
		return p.room()
	},
	loses: func(p *Plan, f float64) bool {
		if p.Lease.Interval > 0 {
			return p.MaxHold > 0 && times(f, p.Env.Hold) > p.MaxHold
		}
		if p.Stop >= 0 {
			return times(f, p.Env.Hold) > p.Stop
		}
		return times(f, p.Env.Hold) > p.worth()
	},
}

// worth is the lease by the holder's clock.
func (p *Plan) worth() time.Duration { return calc.Lease{TTL: p.FreeMin}.Worth(p.Env.Drift) }

var gcPause = Scenario{
	Name: "gc-pause", What: "one pause of the budget, on top of the hold or of failed renewals, calls at the margin", Promised: true,
	set: func(p *Plan, f float64, r *rand.PCG, w *World) time.Duration {
		p = p.paused()
		p.alone(r, w)
		p.earliest(r, w)
		if p.Lease.Interval > 0 {
			w.Fault.DropRenewals = int(Uniform(p.Failures + 1).Draw(r))
		}
		w.Fault.PauseAt = p.phase(r, w.Fault.DropRenewals)
		w.Fault.PauseFor = times(f, p.Env.Pause)
		return p.room() + p.exposed(p.work()) + w.Fault.PauseAt + w.Fault.PauseFor
	},
	loses: func(p *Plan, f float64) bool {
		p = p.paused()
		pause := times(f, p.Env.Pause)
		if l := p.Lease; l.Interval > 0 {
			return p.late()+l.Interval+time.Duration(p.Failures)*l.Spacing+pause+p.slowest() > p.worth()+early(pause)
		}
		return p.Env.Hold+pause+p.Env.Margin > p.worth()+early(pause)
	},
}

// paused is the plan for a hold that meets a full pause.
func (p *Plan) paused() *Plan {
	if p.PausedHold == 0 {
		return p
	}
	q := *p
	q.Env.Hold = p.PausedHold
	return &q
}

var networkDelay = Scenario{
	Name: "network-delay", What: "calls at the margin, renewals lost in a row", Promised: true,
	set: func(p *Plan, f float64, r *rand.PCG, w *World) time.Duration {
		p.alone(r, w)
		p.earliest(r, w)
		w.Net = p.network(f)
		w.Fault.DropRenewals = p.failures(f)
		return p.room() + p.exposed(p.work()) + time.Duration(p.failures(f))*p.Lease.Spacing
	},
	loses: func(p *Plan, f float64) bool {
		margin := times(f, p.slowest())
		if l := p.Lease; l.Interval > 0 {
			// A call beyond its timeout is one more failure each time.
			if margin > l.Call && l.Spacing+margin > p.worth() {
				return true
			}
			return p.late()+l.Interval+time.Duration(p.failures(f))*l.Spacing+margin > p.worth()
		}
		return p.Env.Hold+margin > p.worth()
	},
}

// failures is how many renewals fail at a factor, rounded up; none of a fixed
// lease.
func (p *Plan) failures(f float64) int {
	if p.Lease.Interval == 0 {
		return 0
	}
	return int(float64(f*float64(p.Failures)) + 0.999)
}

// outage is the one to survive.
func (p *Plan) outage() time.Duration {
	switch {
	case p.Outage > 0:
		return p.Outage
	case p.Lease.Interval > 0:
		return p.Lease.OutageSurvived(p.Env)
	}
	return p.FreeMin // a fixed lease does not need the service
}

var failover = Scenario{
	Name: "failover", What: "the lock service answers nobody for the outage survived", Promised: true,
	set: func(p *Plan, f float64, r *rand.PCG, w *World) time.Duration {
		p.alone(r, w)
		w.Fault.OutageAt = p.phase(r, 0)
		w.Fault.OutageFor = times(f, p.outage())
		// C2 counts from a renewal that is due: calls take their time where the
		// outage begins just before it, and none elsewhere.
		w.Net = Way{}
		if p.Lease.Interval > 0 && w.Fault.OutageAt == p.late()+p.Lease.Interval-before {
			w.Net = Way{Out: p.slowest()}
		}
		short := p.Lease
		short.TTL = p.FreeMin
		env := p.Env
		env.Margin = p.slowest()
		w.Fault.Hang, w.Fault.OneFailsAfter, w.Fault.Refused, w.Fault.Refuses = short.WorstRefusals(env)
		w.Lag = Always(0) // the service ends the lease as early as it may
		return p.room() + w.Fault.OutageAt + w.Fault.OutageFor + p.exposed(p.work())
	},
	loses: func(p *Plan, f float64) bool {
		env := p.Env
		env.Margin = p.slowest()
		// C2 counts on T; the service may keep the lease for longer.
		l := p.Lease
		l.TTL = p.FreeMin
		return l.Interval > 0 && times(f, p.outage()) > l.OutageSurvived(env)
	},
}

var failoverForgets = Scenario{
	Name: "failover-forgets", What: "the lock service fails over and forgets the lock",
	set: func(p *Plan, f float64, r *rand.PCG, w *World) time.Duration {
		p.alone(r, w)
		w.Fault.OutageAt = p.phase(r, 0)
		w.Fault.Forgets = true
		return p.room() + w.Fault.OutageAt + p.exposed(p.work())
	},
	loses: func(*Plan, float64) bool { return true },
}

var cutOff = Scenario{
	Name: "cut-off", What: "the holder reaches the lock service no more, others do; one pause of the budget", Promised: true, Renewed: true,
	set: func(p *Plan, f float64, r *rand.PCG, w *World) time.Duration {
		w.Net = Way{Out: p.Env.Margin}
		return p.cut(f, r, w)
	},
	loses: func(p *Plan, f float64) bool {
		stop, ok := p.stops()
		return !ok || stop+times(f, p.Env.Pause)+p.Env.Margin > p.worth()+early(p.Env.Pause)
	},
}

// unwatched leaves the last write's own way out, as L1 does.
var unwatched = Scenario{
	Name: "unwatched", What: "the same, and the application watches no stop-work point: only the library stops it, or nobody", Renewed: true,
	set: func(p *Plan, f float64, r *rand.PCG, w *World) time.Duration {
		q := *p
		q.Stop = -1
		w.Net = Way{}
		return q.cut(f, r, w)
	},
	loses: func(p *Plan, f float64) bool { return p.LossOverlap(f) > early(p.Env.Pause) },
}

// LossOverlap is how long a holder that is cut off, keeps no stop-work point
// and meets a pause at a factor still writes after another can own the lock:
// L1, or the rest of its work where the library never tells it.
func (p *Plan) LossOverlap(f float64) time.Duration {
	q := *p
	q.Stop = -1
	stop, ok := q.stops()
	if !ok {
		return max(0, p.work()-p.worth())
	}
	return max(0, stop+times(f, p.Env.Pause)-p.worth())
}

// stops is when a holder without renewals stops: at its stop-work point or
// when the library tells it, whichever is earlier; ok is false for never.
func (p *Plan) stops() (after time.Duration, ok bool) {
	switch {
	case p.Loss > 0 && (p.Stop < 0 || p.Loss < p.Stop):
		return p.Loss, true
	case p.Stop >= 0:
		return p.Stop, true
	}
	return 0, false
}

// cut sets up a holder none of whose renewals arrive, and a pause just before
// it stops or at any moment until then.
func (p *Plan) cut(f float64, r *rand.PCG, w *World) time.Duration {
	net := w.Net
	p.alone(r, w)
	w.Net, w.Late = net, 0
	w.Lag = Always(0) // the service ends the lease as early as it may
	w.Fault.CutOff = true
	stop, ok := p.stops()
	if ok && stop > 0 {
		w.Work = Always(max(p.work(), stop+1)) // it is stopped before its work ends
		w.Fault.PauseFor = times(f, p.Env.Pause)
		w.Fault.PauseAt = stop - before
		if r.Uint64()&1 == 0 {
			w.Fault.PauseAt = Uniform(stop).Draw(r)
		}
	}
	return p.room() + p.work() + stop + w.Fault.PauseFor
}

var stuckTask = Scenario{
	Name: "stuck-task", What: "a task that never ends", Promised: true,
	set: func(p *Plan, f float64, r *rand.PCG, w *World) time.Duration {
		p.base(r, w)
		w.Fault.Stuck = true
		w.AtOnce, w.Steady = true, true
		p.waiter(f, r, w)
		return p.room() + p.MaxHold + p.PredictedTakeover(f)
	},
}

// waiter is at factor times its bounds: it polls at the worst moment or at
// any, and each way is half a round trip.
func (p *Plan) waiter(f float64, r *rand.PCG, w *World) {
	rtt := times(f, min(p.Env.RTT, p.Env.Margin))
	w.Net = Way{Out: rtt / 2, Back: rtt - rtt/2}
	detect := times(f, p.Env.Detect)
	w.Detect = Always(detect + rtt/2)
	if r.Uint64()&1 == 0 {
		w.Detect = Always(Uniform(detect+1).Draw(r) + rtt/2)
	}
}

var crash = Scenario{
	Name: "crash", What: "the holder dies, right after a renewal at worst", Promised: true,
	set: func(p *Plan, f float64, r *rand.PCG, w *World) time.Duration {
		p.alone(r, w)
		w.Fault.Crash = true
		w.Fault.CrashAt = p.phase(r, 0) + 2 // a renewal may be under way
		if p.Lease.Interval == 0 {
			w.Fault.CrashAt = 1 + Uniform(max(1, p.Env.Hold-1)).Draw(r)
			if r.Uint64()&1 == 0 {
				w.Fault.CrashAt = 1
			}
		}
		p.waiter(f, r, w)
		return p.room() + w.Fault.CrashAt + p.PredictedTakeover(f)
	},
}
