// Package calc is lockplan's timing model: leases with and without renewal,
// what a configuration survives, the recovery target, the acquire wait and
// the maximum hold. Formula ids (F1, R1, C1 …) are those of docs/model.md.
//
// The package is pure. Durations are whole nanoseconds from end to end, ratios
// are whole billionths, and every rounding goes to the safe side.
package calc

import "time"

// Kind says how a value came to be known.
type Kind string

// The kinds of the JSON contract.
const (
	Claimed      Kind = "claimed"      // typed by the user
	Observed     Kind = "observed"     // read from samples
	Extrapolated Kind = "extrapolated" // beyond the samples, from a tail fit
	Assumed      Kind = "assumed"      // a built-in default or a profile's preset
	Computed     Kind = "computed"     // by a formula from other values
)

// Bound is an upper bound on a duration and where it came from. The zero
// value is "not known".
type Bound struct {
	Value      time.Duration
	Known      bool
	Unbounded  bool // known to have no finite bound, as a rank in an open bucket
	Kind       Kind
	Source     string  // "--p999", "hold.prom: lock_hold_seconds", "profile inventory"
	Samples    uint64  // 0 unless Kind is Observed or Extrapolated
	Confidence float64 // one-sided, 0 unless Samples is set
	Longest    bool    // the longest of the samples, which bounds no percentile at Confidence
	File       string  // where the value stands, when it stands in a file
	Line       int
}

// Finite reports whether the bound is known and not open.
func (b Bound) Finite() bool { return b.Known && !b.Unbounded }

// Or is b where it is known, else other.
func (b Bound) Or(other Bound) Bound {
	if b.Known {
		return b
	}
	return other
}

// Claim is a bound typed by the user.
func Claim(value time.Duration, source string) Bound {
	return Bound{Value: value, Known: true, Kind: Claimed, Source: source}
}

// Assume is a bound that stands in for a measurement.
func Assume(value time.Duration, source string) Bound {
	return Bound{Value: value, Known: true, Kind: Assumed, Source: source}
}

// Compute is a bound that a formula gave.
func Compute(value time.Duration, source string) Bound {
	return Bound{Value: value, Known: true, Kind: Computed, Source: source}
}
