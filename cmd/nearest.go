package cmd

import (
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/profiles/library"
)

// can reports whether a plan of these inputs can be written, and gives it.
type can func(calc.Inputs, library.Values) (expressed, bool)

// nearest says what to type so that a refused plan is written: the least
// change of one input, tried before it is said. "" when none alone is enough.
func nearest(in calc.Inputs, given library.Values, try can) string {
	works := func(in calc.Inputs) bool { _, ok := try(in, given); return ok }
	var out []string
	for _, key := range typedKeys(given) {
		if _, ok := try(in, without(given, key)); ok {
			out = append(out, "leave --set "+key+" out")
			break
		}
	}
	if text := nearestRTO(in, given, try); text != "" {
		out = append(out, text)
	}
	if text := nearestFailures(in, works); text != "" {
		out = append(out, text)
	}
	if in.Deadline.Known {
		with := func(d time.Duration) calc.Inputs { in := in; in.Deadline.Value = d; return in }
		if d, ok := raise(in.Deadline.Value, func(d time.Duration) bool { return works(with(d)) }); ok {
			out = append(out, "--deadline "+dur.Format(d))
		}
	}
	if in.QueueSLA.Known && !in.Deadline.Known {
		with := func(d time.Duration) calc.Inputs { in := in; in.QueueSLA.Value = d; return in }
		if d, ok := raise(in.QueueSLA.Value, func(d time.Duration) bool { return works(with(d)) }); ok {
			out = append(out, "--queue-sla "+dur.Format(d))
		}
	}
	if len(out) > 0 {
		return "the nearest it can: " + strings.Join(out, ", or ")
	}
	for _, mode := range []calc.Mode{calc.Fixed, calc.Renewed} {
		with := in
		if with.Mode = mode; mode != in.Mode && works(with) {
			return "the nearest it can: --mode " + string(mode)
		}
	}
	for n := calc.Ratio(2) * calc.One; n <= 10*calc.One; n += calc.One {
		with := in
		if with.Ratio, with.RatioGiven = n, true; works(with) {
			return "the nearest it can: --ratio " + n.String()
		}
	}
	return nearestCut(in, works)
}

// nearestRTO is the takeover that the plan has without a target.
func nearestRTO(in calc.Inputs, given library.Values, try can) string {
	if !in.RTO.Known {
		return ""
	}
	free := in
	free.RTO = calc.Bound{}
	found, ok := try(free, given)
	if !ok {
		return ""
	}
	with := func(d time.Duration) bool {
		in := in
		in.RTO.Value = d
		_, ok := try(in, given)
		return ok
	}
	if found.fit.Verdict.Consequences.TakeoverWorst == nil {
		return ""
	}
	most := *found.fit.Verdict.Consequences.TakeoverWorst
	for d := typedUp(most); d < 3*most; d += typedUp(d / 8) {
		if d <= in.RTO.Value || !with(d) {
			continue
		}
		return "--rto " + dur.Format(least(in.RTO.Value, d, with))
	}
	return ""
}

func nearestFailures(in calc.Inputs, works func(calc.Inputs) bool) string {
	k := in.Failures
	if !in.FailuresGiven {
		k = 1
	}
	for k--; k >= 0; k-- {
		with := in
		if with.Failures, with.FailuresGiven = k, true; works(with) {
			return "--failures " + strconv.Itoa(k)
		}
	}
	return ""
}

// nearestCut looks for one input that is too much to survive.
func nearestCut(in calc.Inputs, works func(calc.Inputs) bool) string {
	for _, part := range []struct {
		flag  string
		bound calc.Bound
		set   func(*calc.Inputs, time.Duration)
	}{
		{"pause", in.Pause, func(in *calc.Inputs, d time.Duration) { in.Pause.Value = d }},
		{"rtt", in.RTT, func(in *calc.Inputs, d time.Duration) { in.RTT.Value = d }},
		{"margin", in.Margin, func(in *calc.Inputs, d time.Duration) { in.Margin.Value = d }},
	} {
		if !part.bound.Finite() || part.bound.Kind != calc.Claimed || part.bound.Value <= 0 {
			continue
		}
		lo, hi := time.Duration(0), part.bound.Value // the least may do, the most does not
		for range 12 {
			mid, with := lo+(hi-lo)/2, in
			if part.set(&with, mid); works(with) {
				lo = mid
			} else {
				hi = mid
			}
		}
		with := in
		if part.set(&with, typedDown(lo)); lo > 0 && typedDown(lo) > 0 && works(with) {
			return "the nearest it can: --" + part.flag + " " + dur.Format(typedDown(lo))
		}
	}
	return ""
}

// raise is the least value above from that works, to two digits.
func raise(from time.Duration, works func(time.Duration) bool) (time.Duration, bool) {
	lo, hi := from, typedUp(max(from*2, time.Millisecond))
	for ; !works(hi); lo, hi = hi, 2*hi {
		if hi > from*64 {
			return 0, false
		}
	}
	return least(lo, hi, works), true
}

// least is a small value above lo that works, where hi does.
func least(lo, hi time.Duration, works func(time.Duration) bool) time.Duration {
	for range 10 {
		mid := typedUp(lo + (hi-lo)/2)
		if mid >= hi || mid <= lo {
			break
		}
		if works(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// typedUp and typedDown round to what a person would type.
func typedUp(d time.Duration) time.Duration {
	return calc.CeilTo(d, typedStep(d))
}

func typedDown(d time.Duration) time.Duration { return d.Truncate(typedStep(d)) }

func typedStep(d time.Duration) time.Duration {
	if d >= 10*time.Millisecond {
		return time.Millisecond
	}
	return time.Microsecond
}
