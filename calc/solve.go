package calc

import (
	"time"

	"github.com/lockplan/lockplan/calc/dur"
)

// Lack is an input that is known to be open or too thin to plan with.
type Lack string

// What can be lacking.
const (
	LackHold    Lack = "hold"    // P of the hold lies in an open bucket, or too few samples
	LackHoldP99 Lack = "holdP99" // the maximum hold rests on P99
	LackPause   Lack = "pause"
	LackRTT     Lack = "rtt"
	LackDetect  Lack = "detect" // the recovery target rests on W
)

// Solution is the answer for one mode: the feasible TTLs, the recommended
// one, and the lease that follows from it.
type Solution struct {
	Mode    Mode
	Lacks   []Lack // not enough data: nothing else is set
	TTLMin  time.Duration
	HasMin  bool // false when no TTL at all meets R1 and R2
	TTLMax  time.Duration
	HasMax  bool // false without a recovery target; may be negative
	Lease   Lease
	Solved  bool // [T_min, T_max] holds a TTL the library can express, and Lease is it
	AutoWhy string
	// CallWhy says what the renew call of Lease is longer for than that of
	// TTLMin; "" where it is not.
	CallWhy string
}

// Solve answers resolved inputs; mode auto is decided as section 5 says:
// fixed when [T_min, T_max] is not empty, the hold bound is finite, its tail
// is not heavy and T_min <= 60 s, else renewed. Where neither mode has an
// answer the one that comes closer to the recovery target is returned.
func Solve(in Inputs) Solution {
	if in.Mode != Auto {
		return solveMode(in, in.Mode)
	}
	traits := in.Library.Traits()
	renewed := solveMode(in, Renewed)
	if traits.NoFixed {
		renewed.AutoWhy = in.Library.Name() + " always renews"
		return renewed
	}
	fixed := solveMode(in, Fixed)
	why := whyNotFixed(in, fixed)
	if why == "" || traits.NoRenewed || in.ThinHold { // more samples may yet allow a fixed lease: exit 4, not a guess
		return fixed
	}
	renewed.AutoWhy = why
	if !renewed.Solved && !fixed.Solved && fixed.HasMin && (!renewed.HasMin || fixed.TTLMin < renewed.TTLMin) {
		return fixed
	}
	return renewed
}

// whyNotFixed is "" when mode auto takes the fixed lease.
func whyNotFixed(in Inputs, fixed Solution) string {
	switch {
	case in.Hold.Unbounded:
		return "the hold has no upper bound"
	case in.HoldTail == TailHeavy:
		return "the hold's tail is heavy"
	case len(fixed.Lacks) > 0:
		return "too few samples of the hold"
	case fixed.TTLMin > MaxFixedTTL:
		return "a fixed lease would need " + dur.Format(fixed.TTLMin) + ", above " + dur.Format(MaxFixedTTL)
	case !fixed.Solved:
		return "a fixed lease of " + dur.Format(fixed.TTLMin) + " misses the RTO"
	}
	return ""
}

func solveMode(in Inputs, mode Mode) Solution {
	s := Solution{Mode: mode, Lacks: lacks(in, mode)}
	if len(s.Lacks) > 0 {
		return s
	}
	least, _, _ := in.leastCall()
	if mode == Fixed {
		s.TTLMin, s.HasMin = FixedMin(in), true
	} else {
		s.TTLMin, s.HasMin = renewedMin(in, in.call(), least)
	}
	env := in.Env()
	if s.HasMin && s.TTLMin < forever {
		if s.Lease, s.CallWhy, s.Solved = roomy(in, mode); !s.Solved {
			s.Lease, s.Solved = recommend(in, mode, s.TTLMin, in.call(), least)
		}
	}
	if in.RTO.Known {
		// O1, with the lag of the TTL in question.
		s.HasMax = true
		s.TTLMax = in.RTO.Value - sum(lag(in.Library, s.Lease.TTL), env.Detect, env.RTT)
	}
	traits := in.Library.Traits()
	if mode == Fixed && traits.NoFixed || mode == Renewed && traits.NoRenewed {
		s.Solved = false
	}
	if !s.Solved {
		s.Lease = Lease{}
	}
	return s
}

func lacks(in Inputs, mode Mode) []Lack {
	var out []Lack
	if in.Pause.Unbounded {
		out = append(out, LackPause)
	}
	if in.RTT.Unbounded || in.Margin.Unbounded {
		out = append(out, LackRTT)
	}
	if in.Detect.Unbounded && in.RTO.Known {
		out = append(out, LackDetect)
	}
	if mode == Fixed && (in.Hold.Unbounded || in.ThinHold || !in.Hold.Known) {
		out = append(out, LackHold)
	}
	if mode == Renewed && !in.MaxHold.Known && in.Hold.Known && !in.HoldP99.Finite() && !in.Hold.Finite() {
		out = append(out, LackHoldP99)
	}
	return out
}

// roomy is the lease with the renew calls that the library is usually run with,
// where they are longer than they must be; ok is false where they are not, or
// the recovery target has no room for them.
func roomy(in Inputs, mode Mode) (l Lease, why string, ok bool) {
	_, usual, why := in.leastCall()
	if mode == Fixed || usual <= in.call() {
		return Lease{}, "", false
	}
	ttl, ok := renewedMin(in, usual, usual)
	if !ok || ttl >= forever {
		return Lease{}, "", false
	}
	if l, ok = recommend(in, mode, ttl, usual, usual); !ok {
		return Lease{}, "", false
	}
	return l, why, true
}

// recommend is T_min rounded up to the library's quantum and to two
// significant digits, or only as far as T_max allows (section 5); ok is false
// when the library has no TTL between the two. Renew calls take up to call and
// at least leastCall.
func recommend(in Inputs, mode Mode, least, call, leastCall time.Duration) (Lease, bool) {
	traits := in.Library.Traits()
	least = max(least, traits.MinTTL)
	if mode == Renewed { // an interval is at least one step of the library's
		least = max(least, mulDiv(max(traits.IntervalQuantum, 1), int64(in.Ratio), int64(One), true))
	}
	exact := CeilTo(least, traits.Quantum)
	round := CeilTo(CeilTo(least, twoDigits(least)), traits.Quantum)
	for _, ttl := range []time.Duration{round, exact} {
		l := Lease{TTL: ttl}
		if mode == Renewed {
			l = renewedLease(in, ttl, call)
			// Flooring I and Tr to the library's quantum can cost a little of R1
			// or R2; n quanta of T give back one of I.
			for range 2*(in.Ratio/One) + 8 {
				if l.holds(in, leastCall) {
					break
				}
				l = renewedLease(in, sum(l.TTL, max(traits.Quantum, 1)), call)
			}
			if !l.holds(in, leastCall) {
				continue
			}
		}
		if traits.MaxTTL != 0 && l.TTL > traits.MaxTTL {
			continue
		}
		if worst, _, _ := l.Takeover(in.Library, in.Env()); in.RTO.Known && worst > in.RTO.Value {
			continue
		}
		return l, true
	}
	return Lease{TTL: exact}, false
}
