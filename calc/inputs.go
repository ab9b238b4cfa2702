package calc

import (
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
)

// Mode is how a lease lives.
type Mode string

// The modes. Auto decides between the two by section 5 of the model.
const (
	Auto    Mode = "auto"
	Fixed   Mode = "fixed"
	Renewed Mode = "renewed"
)

// Built-in defaults of section 1.
const (
	DefaultMargin     = 700 * time.Millisecond // network and scheduler, when nothing is known
	DefaultSched      = 100 * time.Millisecond // one CFS period, when rtt is known
	DefaultPercentile = 0.999
	DefaultConfidence = 0.95
	DefaultFailures   = 1
	DefaultRatio      = 3 * One
	DefaultHoldFactor = 6 * One
	// MaxFixedTTL is where mode auto prefers renewals: a longer fixed lease
	// blocks everybody for longer than people wait for a restart.
	MaxFixedTTL = time.Minute
)

// Tail is the verdict of a tail fit (B5).
type Tail string

// The verdicts; the empty one is "not fitted".
const (
	TailUnknown Tail = ""
	TailHeavy   Tail = "heavy"
	TailLight   Tail = "light"
	TailBounded Tail = "bounded"
)

// Fencing is whether the guarded resource refuses a late writer's token.
type Fencing int

// The three states of knowledge about fencing.
const (
	FencingUnknown Fencing = iota
	FencingNo
	FencingYes
)

// Inputs are everything the model is asked about one service. A Bound that
// is not Known was not given; Resolve fills the defaults of section 1.
type Inputs struct {
	Service string
	Library Library

	Percentile float64 // q
	Hold       Bound   // h at q
	HoldP50    Bound
	HoldP99    Bound
	// HoldMean is an upper bound or the mean that a source states; of claimed
	// percentiles what it is at least, for they have no upper bound.
	HoldMean Bound
	// HoldMeanGuess interpolates claimed percentiles; not known otherwise.
	HoldMeanGuess Bound
	HoldTail      Tail
	// HoldAtLeast is what h certainly reaches: a lower percentile, or the lower
	// edge of its bucket. A violation by this much is one whatever h is.
	HoldAtLeast Bound
	HoldMax     Bound // the longest hold that somebody states
	ThinHold    bool  // too few samples for q: a plan that rests on h is no plan

	Pause         Bound // P
	PauseIncluded bool  // B7: h already holds the pauses
	Margin        Bound // M, given whole or made of the three below
	RTT           Bound
	Jitter        Bound
	Sched         Bound
	Drift         Ratio // rho
	DriftGiven    bool

	RTO      Bound
	Deadline Bound // D
	Work     Bound // B
	Reply    Bound // R
	Confirm  Bound // C
	QueueSLA Bound
	Detect   Bound // W

	Failures      int // k
	FailuresGiven bool
	Ratio         Ratio // n
	RatioGiven    bool
	Backoff       Bound // b
	Mode          Mode
	MaxHold       Bound
	HoldFactor    Ratio

	AcquireRate float64 // acquisitions per second over all callers; 0 unknown
	Contenders  int     // 0 unknown
	Holders     int     // concurrent holders of different keys; 0 unknown
	Fencing     Fencing
}

// Resolve fills what was not given with the defaults of section 1, marked as
// assumed, and refuses values that contradict each other.
func (in Inputs) Resolve() (Inputs, error) {
	if in.Library == nil {
		in.Library = Generic{}
	}
	traits := in.Library.Traits()
	if in.Percentile == 0 {
		in.Percentile = DefaultPercentile
	}
	if !in.FailuresGiven {
		in.Failures = DefaultFailures
	}
	if !in.RatioGiven {
		in.Ratio = DefaultRatio
	}
	if traits.Ratio != 0 {
		if in.RatioGiven && in.Ratio != traits.Ratio {
			return in, fault.Usagef("--ratio %s: %s renews at a ratio of %s and cannot be told otherwise", in.Ratio, in.Library.Name(), traits.Ratio).
				Hintf("leave --ratio out")
		}
		in.Ratio = traits.Ratio
	}
	if !in.DriftGiven {
		in.Drift = traits.Drift
	}
	if in.HoldFactor == 0 {
		in.HoldFactor = DefaultHoldFactor
	}
	if in.Mode == "" {
		in.Mode = Auto
	}
	if in.Drift >= One {
		return in, fault.Usagef("--drift %s: a clock-rate error of 1 or more leaves no lease at all", in.Drift).Hintf("drift is a ratio: 200 ppm is --drift 0.0002")
	}
	if err := in.resolveMargin(); err != nil {
		return in, err
	}
	in.Pause = in.Pause.Or(Assume(0, "assumed: give --pause or --pauses"))
	if s, runs := in.Library.(Scheduled); runs {
		in.Detect = in.Detect.Or(s.Trigger())
	}
	in.Detect = in.Detect.Or(Compute(in.Margin.Value, "the margin"))
	if in.Deadline.Known {
		in.Work = in.Work.Or(in.HoldP99.asDefault("hold P99")).Or(in.Hold.asDefault("hold at the planning percentile"))
		in.Reply = in.Reply.Or(Assume(0, "assumed: give --reply"))
		in.Confirm = in.Confirm.Or(in.RTT.asDefault("one round trip")).Or(Assume(0, "assumed: give --confirm or --rtt"))
	}
	return in, nil
}

func (in *Inputs) resolveMargin() error {
	if in.Margin.Known {
		if in.RTT.Finite() && in.Margin.Value < in.RTT.Value {
			return fault.Usagef("--margin %s is shorter than one round trip of %s", dur.Format(in.Margin.Value), dur.Format(in.RTT.Value)).
				Hintf("leave --margin out: it is rtt + jitter + sched")
		}
		if parts := sum(in.RTT.Value, in.Jitter.Value, in.Sched.Value); (in.Jitter.Known || in.Sched.Known) && !in.RTT.Unbounded && in.Margin.Value < parts {
			return fault.Usagef("--margin %s is less than what is given of its parts, %s: round trip %s, jitter %s, scheduler %s",
				dur.Format(in.Margin.Value), dur.Format(parts), dur.Format(in.RTT.Value), dur.Format(in.Jitter.Value), dur.Format(in.Sched.Value)).
				Hintf("leave --margin out: it is rtt + jitter + sched")
		}
		return nil
	}
	if !in.RTT.Known {
		if in.Jitter.Known || in.Sched.Known {
			return fault.Usagef("--jitter and --sched add to a round trip, and none is given").Hintf("--rtt 20ms, or the whole as --margin 700ms")
		}
		in.Margin = Assume(DefaultMargin, "assumed: give --rtt or --margin")
		return nil
	}
	in.Sched = in.Sched.Or(Assume(DefaultSched, "default"))
	in.Margin = in.RTT
	in.Margin.Value = sum(in.RTT.Value, in.Jitter.Value, in.Sched.Value)
	source := "rtt " + dur.Format(in.RTT.Value) + " (" + in.RTT.Source + ")"
	if in.Jitter.Known {
		source += " + jitter " + dur.Format(in.Jitter.Value) + " (" + in.Jitter.Source + ")"
	}
	source += " + sched " + dur.Format(in.Sched.Value) + " (" + in.Sched.Source + ")"
	in.Margin.Source = source
	if in.Jitter.Kind == Assumed { // a sum is as good as its weakest part
		in.Margin.Kind = Assumed
	}
	return nil
}

// asDefault relabels a bound that stands in for an input of its own.
func (b Bound) asDefault(source string) Bound {
	if !b.Known {
		return b
	}
	b.Kind, b.Source = Computed, source
	return b
}
