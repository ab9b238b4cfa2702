package source

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A percentile of the calls that were timed is one of a smaller share of all
// calls, whatever those that were not would have taken.
func TestClaimsAmongAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.IntRange(0, 9), 1, 50).Draw(t, "times")
		cut := rapid.IntRange(0, 20).Draw(t, "given up")
		held := rapid.Bool().Draw(t, "held")
		all := times
		if held {
			all = append(all, make([]int, cut)...) // counted as if they had taken no time
		}
		var claims []Claim
		for _, q := range []float64{0.1, 0.5, 0.9, 0.99, 1} {
			claims = append(claims, Claim{q, quantileOf(all, q)})
		}
		c := &claimed{claims: claims}
		c.among(uint64(len(times)), uint64(len(times)+cut), held)
		endless := append([]int(nil), times...)
		for range cut {
			endless = append(endless, 1000)
		}
		for _, claim := range c.claims {
			if truth := quantileOf(endless, claim.Q); truth > claim.Value {
				t.Fatalf("P%v is %d, claimed as %d", claim.Q*100, truth, claim.Value)
			}
		}
	})
}

// quantileOf is the nearest rank.
func quantileOf(times []int, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return time.Duration(sorted[max(0, int(math.Ceil(q*float64(len(sorted))-1e-9))-1)])
}

// The fastest tenth may all be calls that were given up: nothing is known of
// it, although 1 - 9/10 is a little less than 1/10 in binary.
func TestClaimsOfNothing(t *testing.T) {
	c := &claimed{claims: []Claim{{0.1, 0}, {0.5, 1}}}
	c.among(9, 10, true)
	if want := []Claim{{0.4, 1}}; !slices.Equal(c.claims, want) {
		t.Errorf("claims are %v, want %v", c.claims, want)
	}
}
