package plan

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/calc/spell"
)

// Relaxation is the smallest change of one input that alone makes the plan
// feasible.
type Relaxation struct {
	Input    string         // the flag's name without dashes
	From, To *time.Duration // nil where the input is no duration
	Text     string         // what to do, as typed
}

// rule is the finding that a relaxation lifts.
func (r Relaxation) rule() string {
	switch r.Input {
	case "deadline", "work", "reply", "confirm", "queue-sla":
		return rule.LP301.ID
	case "rate":
		return rule.LP306.ID
	}
	return rule.LP103.ID
}

// relax tries each input on its own. Durations are found by bisection over
// the planner itself, so every library and mode is answered by the same code.
func relax(raw calc.Inputs, s calc.Solution, late, busy, refused bool, opts Options) []Relaxation {
	var out []Relaxation
	if late {
		out = append(out, relaxWait(raw)...)
	}
	if busy {
		out = append(out, Relaxation{Input: "rate", Text: fmt.Sprintf("cut --rate to less than %.4g/s for one key, by finer keys or a limit upstream", 1/raw.HoldMean.Value.Seconds())})
	}
	if s.Solved && !refused {
		return out
	}
	solved := func(in calc.Inputs) bool {
		in, err := in.Resolve()
		if err != nil {
			return false
		}
		s := calc.Solve(in)
		if !s.Solved || opts.Express == nil {
			return s.Solved
		}
		_, err = opts.Express(in, s.Lease, calc.SolveAcquire(in, 0), calc.MaxHold(in, s))
		return err == nil
	}
	resolved, err := raw.Resolve()
	if err != nil {
		return out
	}
	// What the library is asked about each time is searched in coarser steps.
	share := time.Duration(math.MaxInt64)
	if refused {
		share = 100
	}
	add := func(input, verb string, from, to time.Duration) {
		out = append(out, Relaxation{input, &from, &to, verb + " --" + input + " to " + dur.Format(to)})
	}
	if raw.RTO.Known {
		with := func(d time.Duration) bool { in := raw; in.RTO.Value = d; return solved(in) }
		if to, ok := least(raw.RTO.Value, share, with); ok {
			add("rto", "raise", raw.RTO.Value, to)
		}
	}
	if refused { // also for want of time to acquire
		longer := func(input string, bound calc.Bound, set func(*calc.Inputs, time.Duration)) {
			with := func(d time.Duration) bool { in := raw; set(&in, d); return solved(in) }
			if to, ok := least(bound.Value, share, with); bound.Known && ok {
				add(input, "raise", bound.Value, to)
			}
		}
		longer("deadline", raw.Deadline, func(in *calc.Inputs, d time.Duration) { in.Deadline.Value = d })
		if !raw.Deadline.Known {
			longer("queue-sla", raw.QueueSLA, func(in *calc.Inputs, d time.Duration) { in.QueueSLA.Value = d })
		}
	}
	cut := func(input string, bound calc.Bound, set func(*calc.Inputs, time.Duration)) {
		if !bound.Finite() || bound.Value == 0 {
			return
		}
		with := func(d time.Duration) bool { in := raw; set(&in, d); return solved(in) }
		if to, ok := most(bound.Value, share, with); ok {
			add(input, "cut", bound.Value, to)
		}
	}
	cut("pause", raw.Pause, func(in *calc.Inputs, d time.Duration) { in.Pause.Value = d })
	if s.Mode == calc.Fixed {
		cut(holdFlag(raw), raw.Hold, func(in *calc.Inputs, d time.Duration) {
			in.Hold.Value = d
			in.HoldP50.Value = min(in.HoldP50.Value, d)
			in.HoldP99.Value = min(in.HoldP99.Value, d)
		})
	}
	if raw.RTT.Known && !raw.Margin.Known {
		cut("rtt", raw.RTT, func(in *calc.Inputs, d time.Duration) { in.RTT.Value = d })
	} else {
		cut("margin", resolved.Margin, func(in *calc.Inputs, d time.Duration) {
			in.Margin = calc.Claim(d, "--margin")
		})
	}
	cut("detect", raw.Detect, func(in *calc.Inputs, d time.Duration) { in.Detect.Value = d })
	out = append(out, relaxCounts(raw, resolved, s, solved)...)
	return out
}

// relaxCounts are the inputs that are no durations.
func relaxCounts(raw, resolved calc.Inputs, s calc.Solution, solved func(calc.Inputs) bool) []Relaxation {
	var out []Relaxation
	if s.Mode == calc.Renewed {
		for k := resolved.Failures - 1; k >= 0; k-- {
			in := raw
			in.Failures, in.FailuresGiven = k, true
			if solved(in) {
				out = append(out, Relaxation{Input: "failures", Text: fmt.Sprintf("use --failures %d", k)})
				break
			}
		}
		for n := resolved.Ratio + calc.One; n <= resolved.Ratio+7*calc.One; n += calc.One {
			in := raw
			in.Ratio, in.RatioGiven = n, true
			if solved(in) {
				out = append(out, Relaxation{Input: "ratio", Text: "use --ratio " + n.String()})
				break
			}
		}
	}
	for _, mode := range []calc.Mode{calc.Renewed, calc.Fixed} {
		in := raw
		in.Mode = mode
		if mode != s.Mode && solved(in) {
			out = append(out, Relaxation{Input: "mode", Text: "use --mode " + string(mode)})
		}
	}
	if n := calc.Checkpoints(resolved, s); s.Mode == calc.Fixed && n > 1 {
		out = append(out, Relaxation{Input: "checkpoints",
			Text: fmt.Sprintf("split the task into %d pieces with checkpoints, each under its own lease", n)})
	}
	return out
}

// relaxWait is A1 solved for each of its inputs: the wait must be above zero.
func relaxWait(raw calc.Inputs) []Relaxation {
	in, err := raw.Resolve()
	if err != nil {
		return nil
	}
	step, above, below := time.Millisecond, "more than ", "less than " // the least wait worth the name
	if in.RTT.Value > step {
		// Waits are rounded down to the quantum.
		step, above, below = calc.CeilTo(in.RTT.Value, in.Library.Traits().IntervalQuantum), "", ""
	}
	edge := func(to, over time.Duration) string {
		if above == "" {
			return dur.Format(to)
		}
		return dur.Format(to + over)
	}
	if !in.Deadline.Known && in.QueueSLA.Known {
		return []Relaxation{{"queue-sla", ptr(in.QueueSLA.Value), ptr(step), "raise --queue-sla to " + dur.Format(step) + " or more"}}
	}
	short := step - (in.Deadline.Value - in.Work.Value - in.Reply.Value - in.Confirm.Value)
	out := []Relaxation{{"deadline", ptr(in.Deadline.Value), ptr(in.Deadline.Value + short),
		"raise --deadline to " + above + edge(in.Deadline.Value+short, -step)}}
	for _, part := range []struct {
		input string
		bound calc.Bound
	}{{"work", in.Work}, {"reply", in.Reply}, {"confirm", in.Confirm}} {
		if to := part.bound.Value - short; to >= 0 && part.bound.Value > 0 {
			out = append(out, Relaxation{part.input, ptr(part.bound.Value), &to,
				"cut --" + part.input + " to " + below + edge(to, step)})
		}
	}
	return out
}

// holdFlag is the flag that states the hold at the planning percentile.
func holdFlag(in calc.Inputs) string {
	if flag, known := spell.Claim(cmp.Or(in.Percentile, calc.DefaultPercentile)); known && in.Hold.Kind == calc.Claimed {
		return flag
	}
	return "hold"
}

// most is the largest d below from with ok(d), to a share of from, rounded down
// to what a person would type; found is false when not even 0 is ok.
func most(from, share time.Duration, ok func(time.Duration) bool) (d time.Duration, found bool) {
	if !ok(0) {
		return 0, false
	}
	lo, hi := time.Duration(0), from // ok(lo), !ok(hi)
	for hi-lo > max(from/share, 1) {
		if mid := lo + (hi-lo)/2; ok(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	d = lo - lo%max(typed(lo), grain(lo/share))
	return d, d == lo || ok(d)
}

// least is the smallest d above from with ok(d), to a share of it, rounded up to
// what a person would type; found is false when no d is.
func least(from, share time.Duration, ok func(time.Duration) bool) (d time.Duration, found bool) {
	lo, hi := from, max(from, 1)
	for !ok(hi) {
		if hi > math.MaxInt64/4 || hi/share > max(from, 1) {
			return 0, false
		}
		lo, hi = hi, hi*2
	}
	for hi-lo > max(hi/share, 1) {
		if mid := lo + (hi-lo)/2; ok(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	d = hi
	step := max(typed(d), grain(d/share))
	if rest := d % step; rest != 0 {
		d += step - rest
	}
	return d, d == hi || ok(d)
}

// typed is the precision that d is given with: milliseconds, or a thousandth
// of what is shorter than a second.
func typed(d time.Duration) time.Duration {
	switch {
	case d >= time.Second:
		return time.Millisecond
	case d >= time.Millisecond:
		return time.Microsecond
	}
	return 1
}

// grain is the power of ten of nanoseconds at or below d.
func grain(d time.Duration) time.Duration {
	g := time.Duration(1)
	for g <= d/10 {
		g *= 10
	}
	return g
}
