package plan

import (
	"time"

	"github.com/lockplan/lockplan/calc"
)

// Expressed is a plan as its lock library runs it: written in the library's
// keys, read back and held against the model (L2). A nil figure is not known.
type Expressed struct {
	TTL   time.Duration // the planned one, or the shortest with which the library keeps the plan
	Why   string        // what the planned one was too short for; "" where it is the planned one
	Lease calc.Lease    // as the library renews it
	// What it survives and costs, by the library's own arithmetic where it has
	// one.
	Outage, Pause, TakeoverWorst, TakeoverClean *time.Duration
	Failures                                    *int
	StopWork                                    time.Duration
}

// adopt takes the library's schedule, and its figures where they are the worse
// ones: nothing is promised that its configuration does not keep.
func (p *Plan) adopt(got Expressed) {
	if l := got.Lease; l.Renews() && l.Call < l.Interval { // client-go's renew deadline ends a call that is longer
		p.RenewInterval, p.RenewTimeout = &l.Interval, &l.Call
		p.RenewalsPerSecond = ptr(l.RenewalsPerSecond(max(p.In.Holders, 1)))
	}
	lower(&p.OutageSurvived, got.Outage)
	lower(&p.PauseSurvived, got.Pause)
	lower(&p.RenewFailures, got.Failures)
	lower(&p.StopWork, &got.StopWork)
	if got.TakeoverWorst != nil && p.TakeoverWorst != nil && *got.TakeoverWorst > *p.TakeoverWorst {
		p.TakeoverMean = ptr(*p.TakeoverMean + *got.TakeoverWorst - *p.TakeoverWorst)
		p.TakeoverWorst = got.TakeoverWorst
	}
	if got.TakeoverClean != nil && p.TakeoverClean != nil && *got.TakeoverClean > *p.TakeoverClean {
		p.TakeoverClean = got.TakeoverClean
	}
}

// lower takes a figure where it is known and less than the one that is there.
func lower[T int | time.Duration](there **T, figure *T) {
	if *there != nil && figure != nil && *figure < **there {
		*there = figure
	}
}
