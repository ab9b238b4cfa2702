package dist

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The longest of n samples bounds 0.05^(1/n) of the law at 95 %, the shortest
// 1 - 0.95^(1/n).
func TestCoverageOfTheExtremes(t *testing.T) {
	for _, n := range []uint64{1, 10, 300, 2995, 1_000_000} {
		if got, want := Coverage(n, n, 0.95), math.Pow(0.05, 1/float64(n)); math.Abs(got-want) > 1e-12 {
			t.Errorf("longest of %d: %v, want %v", n, got, want)
		}
		if got, want := Coverage(1, n, 0.95), 1-math.Pow(0.95, 1/float64(n)); math.Abs(got-want) > 1e-9*want+1e-15 {
			t.Errorf("shortest of %d: %v, want %v", n, got, want)
		}
	}
	for _, rank := range []uint64{0, 11} {
		if got := Coverage(rank, 10, 0.95); got != 0 {
			t.Errorf("sample %d of 10: %v", rank, got)
		}
	}
}

// What a rank covers, that rank bounds, and nothing beyond it: Coverage and
// RankBound are two sides of B3.
func TestCoverageIsWhatRankBoundAsksFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 5000).Draw(t, "n")
		rank := rapid.Uint64Range(1, n).Draw(t, "rank")
		confidence := rapid.SampledFrom([]float64{0.5, 0.9, 0.95, 0.999}).Draw(t, "confidence")
		q := Coverage(rank, n, confidence)
		if j, ok := RankBound(n, q*(1-1e-8), confidence); !ok || j > rank {
			t.Fatalf("sample %d of %d covers %v, which takes sample %d (%v)", rank, n, q, j, ok)
		}
		if j, ok := RankBound(n, min(q*(1+1e-6), 1-1e-12), confidence); ok && j <= rank && q < 1-1e-9 {
			t.Fatalf("sample %d of %d covers more than %v", rank, n, q)
		}
	})
}

// Beyond the longest of 300 requests lies up to 1 - 0.05^(1/300) of the law,
// and nothing for certain.
func TestClaimBandOfFewSamples(t *testing.T) {
	claims := []Percentile{{Q: 0.5, Value: time.Millisecond}, {Q: 1, Value: time.Second}}
	for i := range claims {
		claims[i] = claims[i].OfSamples(300, 0.95)
	}
	b := ClaimBand(claims)
	if got, want := b.Hi.Exceeds(time.Minute), 1-math.Pow(0.05, 1.0/300); math.Abs(got-want) > 1e-12 {
		t.Errorf("upper law: %v, want %v", got, want)
	}
	if got := b.Lo.Exceeds(time.Minute); got != 0 {
		t.Errorf("lower law: %v", got)
	}
	// P(Bin(300, q) >= 150) is 0.05 at q = 0.4512, by Clopper and Pearson.
	if got := b.Hi.Exceeds(time.Millisecond); got < 0.54 || got > 0.56 {
		t.Errorf("above the median: %v", got)
	}
}
