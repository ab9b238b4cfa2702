package sim

import (
	"math/rand/v2"
	"time"
)

// Result is what one scenario showed at one factor.
type Result struct {
	Scenario Scenario
	Factor   float64
	Trials   uint64
	Outcome
	Span time.Duration // simulated, all trials
	// Predicted is nil, or whether the formulas expect a lost lease or a cut
	// hold.
	Predicted *bool
	Promises  []Promise
	// Needed is how many trials show a predicted failure that these did not;
	// 0 where they did, or where no number of trials was found that does.
	Needed uint64
	// TooLong is set when one trial alone is of more than MostEvents: nothing
	// was learned then.
	TooLong bool
	worst   worstTrial
}

// Promise is one thing that the plan states, and whether it held.
type Promise struct {
	Text string
	Kept bool
	Seen string
}

// Failed reports whether a lease was lost or, where that is the question, a
// hold was cut or two holders wrote.
func (r *Result) Failed() bool {
	if r.Scenario.Renewed { // whose lease ends anyway
		return r.Overlaps > 0
	}
	return r.Lost > 0 || r.Overlaps > 0 || r.Cut > 0 && r.Scenario.Name == longTail.Name
}

// Kept reports whether all promises were.
func (r *Result) Kept() bool {
	for _, p := range r.Promises {
		if !p.Kept {
			return false
		}
	}
	return true
}

// worstTrial is the trial to tell about: the longest overlap, else a lost
// lease, else a cut, else the longest takeover.
type worstTrial struct {
	number uint64
	rank   [4]int64
}

func (w worstTrial) less(o worstTrial) bool {
	for i := range w.rank {
		if w.rank[i] != o.rank[i] {
			return w.rank[i] < o.rank[i]
		}
	}
	return false
}

// seeds gives each trial random numbers of its own, so that any of them can be
// played again.
func seeds(seed, scenario, trial uint64) *rand.PCG {
	return rand.NewPCG(seed^scenario*0x9e3779b97f4a7c15, trial*0xbf58476d1ce4e5b9+0x94d049bb133111eb)
}

// MostEvents is how many events one trial may have, and MostPlayed how many a
// run may, so that it is over within about a second; fewest trials are played
// even so.
const (
	MostEvents = 1 << 19
	MostPlayed = 1 << 23
	fewest     = MostPlayed / MostEvents
)

// trials is how many of those asked for a run affords, going by its first few.
// It does not depend on the machine, so that the result does not either.
func (p *Plan) trials(s Scenario, factor float64, asked, seed uint64) (n uint64, ok bool) {
	const samples = 4
	runner := Runner{most: MostEvents}
	var longest uint64 = 1
	for i := range min(asked, samples) {
		var w World
		var out Outcome
		rng := seeds(seed, hash(s.Name, factor), i)
		span := s.set(p, factor, rng, &w)
		if w.Clients > min(MostEvents, MostClients) {
			return 0, false
		}
		runner.Play(&w, span, rng, &out)
		if runner.tooLong {
			return 0, false
		}
		longest = max(longest, out.Events)
	}
	return min(asked, max(fewest, MostPlayed/longest)), true
}

// Run plays trials of a scenario on all cores, fewer than asked for where they
// would be of more than MostPlayed events. The same plan and seed give the same
// result, whatever the machine.
func Run(p Plan, s Scenario, factor float64, trials uint64, seed uint64, done func(float64)) Result {
	trials, ok := p.trials(s, factor, trials, seed)
	if !ok {
		return Result{Scenario: s, Factor: factor, TooLong: true}
	}
	parts := Each(Shards, seed, done, func(shard int, _ *rand.PCG) Result {
		part := Result{}
		runner := Runner{most: MostEvents}
		var w World
		for i := uint64(shard); i < trials; i += Shards {
			rng := seeds(seed, hash(s.Name, factor), i)
			span := s.set(&p, factor, rng, &w)
			before := part.Outcome.mark()
			runner.Play(&w, span, rng, &part.Outcome)
			part.Trials++
			part.Span = add(part.Span, span)
			worst := part.Outcome.since(before)
			worst.number = i
			if part.worst.less(worst) || part.Trials == 1 {
				part.worst = worst
			}
		}
		part.TooLong = runner.tooLong
		return part
	})
	out := Result{Scenario: s, Factor: factor}
	if s.loses != nil {
		loses := s.loses(&p, factor)
		out.Predicted = &loses
	}
	for i := range parts {
		part := &parts[i]
		out.Outcome.Merge(&part.Outcome)
		out.Span = add(out.Span, part.Span)
		out.TooLong = out.TooLong || part.TooLong
		if part.Trials > 0 && (out.Trials == 0 || out.worst.less(part.worst)) {
			out.worst = part.worst
		}
		out.Trials += part.Trials
	}
	if out.TooLong {
		return Result{Scenario: s, Factor: factor, TooLong: true}
	}
	out.Promises = promises(&p, &out)
	if out.Predicted != nil && *out.Predicted && !out.Failed() {
		out.Needed = p.seek(s, factor, out.Trials, seed)
	}
	return out
}

// mostSought is how many trials are looked through for a rare failure.
const mostSought = 1 << 17

// seek plays on after some trials until one fails, and returns how many that
// are; 0 when none does within as many events as a run may have.
func (p *Plan) seek(s Scenario, factor float64, played, seed uint64) uint64 {
	runner := Runner{most: MostEvents}
	r := Result{Scenario: s, Factor: factor}
	var w World
	for i := played; i < mostSought && r.Events < MostPlayed && !runner.tooLong; i++ {
		rng := seeds(seed, hash(s.Name, factor), i)
		span := s.set(p, factor, rng, &w)
		runner.Play(&w, span, rng, &r.Outcome)
		if r.Failed() {
			return i + 1
		}
	}
	return 0
}

// mark and since tell what one trial did.
type marks struct {
	overlap, takeover time.Duration
	lost, cut         uint64
}

func (o *Outcome) mark() marks {
	m := marks{o.OverlapTime, o.Takeover.worst, o.Lost, o.Cut + o.Interrupted}
	o.Takeover.worst = 0
	return m
}

func (o *Outcome) since(m marks) worstTrial {
	w := worstTrial{rank: [4]int64{int64(o.OverlapTime - m.overlap), int64(o.Lost - m.lost), int64(o.Cut + o.Interrupted - m.cut), int64(o.Takeover.worst)}}
	o.Takeover.worst = max(o.Takeover.worst, m.takeover)
	return w
}

// hash tells scenarios and factors apart (FNV-1a).
func hash(name string, factor float64) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range []byte(name) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return (h ^ uint64(factor*1000)) * 1099511628211
}

// Say is told what happens in a world.
type Say func(at time.Duration, client int, what string, value time.Duration)

// Trace plays the worst trial of a result again and tells it.
func Trace(p Plan, r Result, seed uint64, say Say) {
	var w World
	rng := seeds(seed, hash(r.Scenario.Name, r.Factor), r.worst.number)
	span := r.Scenario.set(&p, r.Factor, rng, &w)
	w.Say = say
	new(Runner).Play(&w, span, rng, &Outcome{})
}

// CompareWorst orders results by the trouble of their worst trial.
func (r *Result) CompareWorst(o *Result) int {
	switch {
	case r.worst.less(o.worst):
		return -1
	case o.worst.less(r.worst):
		return 1
	}
	return 0
}
