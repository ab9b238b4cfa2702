package cmd

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/calc/sim"
	"github.com/lockplan/lockplan/calc/spell"
)

// simulateOptions are the inputs of a plan and how to play it.
type simulateOptions struct {
	inputs   inputFlags
	scenario string
	trials   uint64
	seed     uint64
	trace    bool
}

// mostTrials keeps a run within minutes.
const mostTrials = 10_000_000

func newSimulateCmd(a *app) *cobra.Command {
	o := simulateOptions{scenario: "all", trials: 2000, seed: 1}
	names := []string{"all"}
	for _, s := range sim.Scenarios {
		names = append(names, s.Name)
	}
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Play a plan's faults: at its stated bounds, and at one and a half times them",
		Long: "simulate plans as ttl does, and then plays holders and waiters of that lock with\n" +
			"pauses, slow and lost calls, failovers, stuck tasks and crashes. At the plan's bounds\n" +
			"every promise must hold (exit 3 when one does not); beyond them it shows what breaks.\n" +
			"The same seed gives the same answer on every machine.",
		Example: "  lockplan simulate --p999 800ms --pause 1.5s --rto 5s\n" +
			"  lockplan simulate --p999 800ms --pause 1.5s --scenario gc-pause --trace",
		RunE: func(*cobra.Command, []string) error { return runSimulate(a, o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.scenario, "scenario", o.scenario, strings.Join(names, ", "))
	flags.Uint64Var(&o.trials, "trials", o.trials, "how often each scenario is played")
	flags.Uint64Var(&o.seed, "seed", o.seed, "seed of the random numbers")
	flags.BoolVar(&o.trace, "trace", false, "tell the worst trial, event by event")
	o.inputs.register(cmd)
	cmd.RegisterFlagCompletionFunc("scenario", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// simulation is everything that is printed.
type simulation struct {
	name       string // of a check's target; "" for a plan
	seed       uint64
	trials     uint64
	plan       sim.Plan
	library    string
	mode       calc.Mode
	fencing    bool
	falsely    *falseExpiry
	results    []sim.Result
	detect     calc.Bound // W of the contention
	contention []contention
	failFast   []failFast
	findings   []finding.Finding
	story      []string
}

// factors are how many times the stated bounds are played.
var factors = []float64{1, 1.5}

func runSimulate(a *app, o simulateOptions) error {
	scenarios := sim.Scenarios
	if o.scenario != "all" {
		s, ok := sim.Find(o.scenario)
		if !ok {
			var names []string
			for _, s := range sim.Scenarios {
				names = append(names, s.Name)
			}
			return fault.Usagef("--scenario %q is not known", o.scenario).Hintf("all, %s", strings.Join(names, ", "))
		}
		scenarios = []sim.Scenario{s}
	}
	if o.trials == 0 || o.trials > mostTrials {
		return fault.Usagef("--trials %d is not from 1 to %d", o.trials, mostTrials)
	}
	got, p, err := a.planOf(o.inputs)
	if err != nil {
		return err
	}
	if p.In.Detect.Unbounded { // each figure of a takeover would leave it out
		message, hint := lacking(calc.LackDetect)
		return verdict{exitNotKnown, message, hint}
	}
	if !p.Enough() || !p.Feasible {
		if err := a.writeUnplayed(o, p); err != nil {
			return err
		}
		return answer(p)
	}
	if !p.Solution.Lease.Renews() {
		played := slices.DeleteFunc(slices.Clone(scenarios), func(s sim.Scenario) bool { return s.Renewed })
		if len(played) == 0 {
			return fault.Usagef("--scenario %s is of renewed leases, the plan's is fixed", o.scenario).Hintf("--mode renewed")
		}
		scenarios = played
	}
	s := simulation{
		seed: o.seed, trials: o.trials, plan: simulated(p), library: p.In.Library.Name(), mode: p.Solution.Mode,
		fencing: p.In.Fencing == calc.FencingYes, findings: p.Findings,
	}
	e := evidence(got)
	if hold, known := e.HoldBand(); known {
		s.plan.Hold = sim.From(bestLaw(hold.Cap(s.plan.Env.Hold)))
	}
	progress := a.progress()
	s.falsely = falseExpiryOf(p, e, o.seed, progress.part("false expiry"))
	if err := s.play(scenarios, progress); err != nil {
		return err
	}
	s.contention = contentionOf(p, e, o.seed, progress.part("contention"))
	s.failFast = failFasts(p, e, o.seed, progress.part("waits"))
	s.detect = p.In.Detect
	if len(s.contention) > 0 && s.contention[0].played {
		one := s.contention[0]
		c := rule.Case{AcquireP99: calc.Compute(one.p99, "simulated"), AcquireGaveUp: 1 - one.success}
		s.findings = append(s.findings, rule.LP306.Check(rule.LP306, &c)...)
		rule.Sort(s.findings)
	}
	progress.done()
	if o.trace {
		s.tell()
	}
	if err := a.writeSimulation(s); err != nil {
		return err
	}
	if err := s.answer(); err != nil {
		return err
	}
	return answer(p)
}

// play runs the scenarios at each factor.
func (s *simulation) play(scenarios []sim.Scenario, progress *progress) error {
	for _, f := range factors {
		for _, sc := range scenarios {
			r := sim.Run(s.plan, sc, f, s.trials, s.seed, progress.part(sc.Name))
			if r.TooLong {
				progress.done()
				return tooLong(sc)
			}
			s.results = append(s.results, r)
		}
	}
	return nil
}

// tooLong refuses a scenario that cannot be played in a reasonable time.
func tooLong(sc sim.Scenario) error {
	return fault.Usagef("one trial of scenario %s is of more than %s events, the most that is played", sc.Name, spell.Grouped(sim.MostEvents)).
		Hintf("a shorter lease, renewals and retries less often, fewer --contenders, or another --scenario")
}

// reduced says which scenarios were played less often than asked for.
func (s *simulation) reduced() string {
	var out []string
	for _, r := range s.results {
		if r.Trials < s.trials {
			out = append(out, fmt.Sprintf("%s x%g: %s", r.Scenario.Name, r.Factor, spell.Grouped(r.Trials)))
		}
	}
	if out == nil {
		return ""
	}
	return fmt.Sprintf("fewer trials where a run would be of more than about %s events (%s)", spell.Grouped(sim.MostPlayed), strings.Join(out, "; "))
}

// answer is no when a promise was broken at the plan's own bounds.
func (s *simulation) answer() error {
	for _, r := range s.results {
		for _, p := range r.Promises {
			if r.Factor == 1 && !p.Kept {
				return verdict{exitNo, fmt.Sprintf("%s: not kept: %s (%s)", r.Scenario.Name, p.Text, p.Seen), "lockplan simulate --scenario " + r.Scenario.Name + " --trace"}
			}
		}
	}
	return nil
}

// simulated is a plan as the simulator takes it.
func simulated(p plan.Plan) sim.Plan {
	in, l := p.In, p.Solution.Lease.AtWorst()
	out := sim.Plan{
		Lease: l, Env: in.Env(), FreeMin: in.Library.FreeMin(l.TTL), FreeMax: in.Library.FreeMax(l.TTL),
		Stop: *p.StopWork, MaxHold: *p.MaxHold, Failures: in.Failures, Callers: max(4, in.Contenders),
		Silent: in.Library.Traits().Silent,
	}
	if !l.Renews() {
		out.MaxHold = 0 // the stop-work point ends a hold
	}
	if loss, tells := in.Library.Loss(l.TTL); tells {
		out.Loss = loss
	}
	if p.AcquireWait != nil {
		out.Wait = *p.AcquireWait
	}
	if in.RTO.Known {
		out.RTO = in.RTO.Value
	}
	if in.PauseIncluded {
		out.PausedHold = max(1, in.HoldP50.Value)
	}
	out.Env.Hold = boundedHold(in, out)
	return out
}

// boundedHold is the hold to play: the planning bound, else P99, else a third
// of the longest allowed.
func boundedHold(in calc.Inputs, p sim.Plan) time.Duration {
	switch {
	case in.Hold.Finite():
		return in.Hold.Value
	case in.HoldP99.Finite():
		return in.HoldP99.Value
	}
	return max(1, p.MaxHold/3)
}

// progress tells on a terminal how far a long run is.
type progress struct {
	to    io.Writer // nil where nobody looks
	shown bool
	last  time.Time
	now   func() time.Time
	since time.Time
}

func (a *app) progress() *progress {
	p := &progress{now: a.now, since: a.now()}
	if a.watched {
		p.to = a.err
	}
	return p
}

// part is told the share of one part that is finished; nil where nobody
// looks.
func (p *progress) part(name string) func(float64) {
	if p.to == nil {
		return nil
	}
	return func(share float64) {
		now := p.now()
		if now.Sub(p.since) < time.Second || now.Sub(p.last) < 100*time.Millisecond {
			return
		}
		p.last, p.shown = now, true
		fmt.Fprintf(p.to, "\r%-20s %3.0f %%", name, 100*share)
	}
}

func (p *progress) done() {
	if p.shown {
		fmt.Fprintf(p.to, "\r%*s\r", 30, "")
	}
}

// longestStory is how many events of a trace are told.
const longestStory = 60

// tell plays the worst trial again and puts it into words. What no plan
// promises is told only when nothing else was asked for.
func (s *simulation) tell() {
	worst := slices.MaxFunc(s.results, func(a, b sim.Result) int {
		if a.Scenario.Promised != b.Scenario.Promised {
			if a.Scenario.Promised {
				return 1
			}
			return -1
		}
		return a.CompareWorst(&b)
	})
	s.story = append(s.story, fmt.Sprintf("the worst of %d trials of %s at %g times the bounds:", worst.Trials, worst.Scenario.Name, worst.Factor))
	var events []storyEvent
	sim.Trace(s.plan, worst, s.seed, func(at time.Duration, client int, what string, value time.Duration) {
		events = append(events, storyEvent{at, what, eventText(at, client, what, value)})
	})
	s.story = append(s.story, abridged(events)...)
}

// storyEvent is one event of a trace.
type storyEvent struct {
	at   time.Duration
	what string
	text string
}

// abridged is a story in the order of time, and of a long one its beginning,
// what comes before and after the overlap or the lost lease that it is told
// for, and its end.
func abridged(events []storyEvent) []string {
	slices.SortStableFunc(events, func(a, b storyEvent) int { return cmp.Compare(a.at, b.at) })
	turn := slices.IndexFunc(events, func(e storyEvent) bool { return e.what == sim.Overlapped })
	if turn < 0 {
		turn = slices.IndexFunc(events, func(e storyEvent) bool { return e.what == sim.LostLease })
	}
	var out []string
	left := 0
	for i, e := range events {
		const part = longestStory / 3
		if len(events) > longestStory && i >= part && i < len(events)-part && (turn < 0 || i < turn-part+5 || i >= turn+5) {
			left++
			continue
		}
		if left > 0 {
			out = append(out, "... "+plural(left, "event")+" left out")
			left = 0
		}
		out = append(out, e.text)
	}
	return out
}

// eventText is one event of a trace.
func eventText(at time.Duration, client int, what string, value time.Duration) string {
	who := "caller " + string(rune('A'+client))
	if client < 0 {
		who = ""
	}
	words := strings.TrimSpace(who + " " + what)
	switch {
	case strings.HasSuffix(what, " until"):
		words += " t=" + short(value)
	case value > 0:
		words += " " + short(value)
	}
	return fmt.Sprintf("t=%-12s %s", short(at), words)
}
