package dist

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// classic is the histogram of cases/observe.json: cumulative counts per edge.
func classic() *Dist {
	var b Builder
	edges := []time.Duration{50, 100, 200, 400, 800, 1600}
	counts := []uint64{9000, 96000, 99000, 99850, 99950, 100000}
	var lo time.Duration
	var before uint64
	for i, e := range edges {
		hi := e * time.Millisecond
		b.AddRange(lo, hi, counts[i]-before)
		lo, before = hi, counts[i]
	}
	return b.Dist()
}

// B1: the upper edge is the answer; the interpolated values are those that
// screens.md shows beside it.
func TestQuantileOfBuckets(t *testing.T) {
	d := classic()
	for _, c := range []struct {
		q                 float64
		lower, upper, mid time.Duration
		rank              uint64
	}{
		{0.5, 50 * time.Millisecond, 100 * time.Millisecond, 73563 * time.Microsecond, 50_000},
		{0.99, 100 * time.Millisecond, 200 * time.Millisecond, 200 * time.Millisecond, 99_000},
		{0.999, 400 * time.Millisecond, 800 * time.Millisecond, 600 * time.Millisecond, 99_900},
		{0.9999, 800 * time.Millisecond, 1600 * time.Millisecond, 1440 * time.Millisecond, 99_990},
		{1, 800 * time.Millisecond, 1600 * time.Millisecond, 1600 * time.Millisecond, 100_000},
	} {
		iv := d.Quantile(c.q)
		if iv.Lower != c.lower || iv.Upper != c.upper || iv.Rank != c.rank {
			t.Errorf("P%v = [%v, %v] rank %d, want [%v, %v] rank %d", c.q*100, iv.Lower, iv.Upper, iv.Rank, c.lower, c.upper, c.rank)
		}
		if !iv.HasInterpolated || (iv.Interpolated-c.mid).Abs() > time.Microsecond {
			t.Errorf("P%v interpolated = %v, want %v", c.q*100, iv.Interpolated, c.mid)
		}
	}
	if iv, ok := d.UpperBound(0.999, 0.95); !ok || iv.Upper != 800*time.Millisecond {
		t.Errorf("P99.9 bound = %v, %v, want 800ms", iv, ok)
	}
}

// B2: a rank in the open bucket has no upper end, whatever the last edge.
func TestOpenBucketIsUnbounded(t *testing.T) {
	var b Builder
	b.AddRange(0, 10*time.Second, 9_998)
	b.AddRange(10*time.Second, Inf, 2)
	d := b.Dist()
	iv := d.Quantile(0.9999)
	if iv.Upper != Inf || iv.Lower != 10*time.Second || iv.HasInterpolated {
		t.Errorf("P99.99 = %+v, want (10s, Inf) and no interpolated value", iv)
	}
	if iv := d.Mean(); iv.Upper != Inf || iv.Lower != 2*time.Millisecond {
		t.Errorf("mean = %+v, want from 2ms to Inf", iv)
	}
}

// Nearest rank on raw values, on the decimal that q is written as: the
// binary 0.999 * 1000 would otherwise round up to the maximum.
func TestNearestRank(t *testing.T) {
	for _, c := range []struct {
		q    float64
		n    uint64
		want uint64
	}{
		{0.999, 1000, 999}, {0.999, 100_000, 99_900}, {0.9, 10, 9}, {0.7, 10, 7}, {0.29, 100, 29}, {0.57, 100, 57},
		{0.999, 200, 200}, {0.5, 3, 2}, {1, 7, 7}, {1e-9, 5, 1}, {0.9999, math.MaxUint64, 18444899399302180660},
		{0, 5, 0}, {-1, 5, 0}, {1.1, 5, 0}, {math.NaN(), 5, 0}, {0.5, 0, 0},
	} {
		if got := nearestRank(c.q, c.n); got != c.want {
			t.Errorf("nearestRank(%v, %d) = %d, want %d", c.q, c.n, got, c.want)
		}
	}
}

func TestNothingKnownOfNothing(t *testing.T) {
	for _, d := range []*Dist{new(Builder).Dist(), {}, Merge()} {
		for _, iv := range []Interval{d.Quantile(0.5), d.Max(), d.Min(), d.Mean(), d.AtRank(3)} {
			if iv.Upper != Inf || iv.Lower != 0 || iv.Rank != 0 {
				t.Errorf("an empty distribution says %+v", iv)
			}
		}
		if _, ok := d.UpperBound(0.5, 0.95); ok {
			t.Error("an empty distribution has an upper bound")
		}
	}
}

func TestMeanIsRoundedOutward(t *testing.T) {
	var b Builder
	b.AddRange(1, 1, 1)
	b.AddRange(1, 1, 1)
	b.AddRange(1, 2, 1)
	if iv := b.Dist().Mean(); iv.Lower != 1 || iv.Upper != 2 {
		t.Errorf("mean = [%d, %d], want [1, 2]", iv.Lower, iv.Upper)
	}
	var long Builder
	long.AddRange(Inf-2, Inf-1, 1<<40)
	if iv := long.Dist().Mean(); iv.Lower != Inf-2 || iv.Upper != Inf-1 {
		t.Errorf("mean = [%d, %d]", iv.Lower, iv.Upper)
	}
}

// Two pods with unlike edges: a sample of the first is not moved to an edge
// that only the second has. 90 of 100 are at or below 1s for certain; the
// rest is only known to be at or below 4s.
func TestMergeOfUnlikeLayouts(t *testing.T) {
	var a, b Builder
	a.AddRange(0, 1*time.Second, 40)
	a.AddRange(1*time.Second, 4*time.Second, 10)
	b.AddRange(0, 1*time.Second, 50)
	b.AddRange(1*time.Second, 2*time.Second, 0)
	d := Merge(a.Dist(), b.Dist())
	if iv := d.Quantile(0.9); iv.Upper != time.Second {
		t.Errorf("P90 = %+v, want 1s", iv)
	}
	if iv := d.Quantile(0.91); iv.Upper != 4*time.Second || iv.Lower != time.Second {
		t.Errorf("P91 = %+v, want (1s, 4s]", iv)
	}
}

type sample struct{ lo, v, hi time.Duration }

func samples(t *rapid.T) []sample {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sample {
		v := time.Duration(rapid.Int64Range(0, 50).Draw(t, "v"))
		lo := v - time.Duration(rapid.Int64Range(0, int64(v)).Draw(t, "below"))
		hi := v + time.Duration(rapid.Int64Range(0, 30).Draw(t, "above"))
		if rapid.IntRange(0, 9).Draw(t, "open") == 0 {
			hi = Inf
		}
		return sample{lo, v, hi}
	}), 1, 40).Draw(t, "samples")
}

// Whatever the true values inside their intervals, each order statistic lies
// in its interval, and both ends are attained by some choice of true values.
func TestOrderStatisticsAreBracketed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ss := samples(t)
		var whole Builder
		var parts [2]Builder
		var truth, los, his []time.Duration
		for i, s := range ss {
			whole.AddRange(s.lo, s.hi, 1)
			parts[i%2].AddRange(s.lo, s.hi, 1)
			truth, los, his = append(truth, s.v), append(los, s.lo), append(his, s.hi)
		}
		slices.Sort(truth)
		slices.Sort(los)
		slices.Sort(his)
		d, m := whole.Dist(), Merge(parts[0].Dist(), parts[1].Dist())
		for i := range truth {
			iv := d.AtRank(uint64(i + 1))
			if iv != m.AtRank(uint64(i+1)) {
				t.Fatalf("merged and whole differ at rank %d", i+1)
			}
			if iv.Lower != los[i] || iv.Upper != his[i] || truth[i] < iv.Lower || truth[i] > iv.Upper {
				t.Fatalf("rank %d: %v not in %+v, or not sharp: [%v, %v]", i+1, truth[i], iv, los[i], his[i])
			}
			if iv.HasInterpolated && (iv.Interpolated < iv.Lower || iv.Interpolated > iv.Upper) {
				t.Fatalf("rank %d: interpolated %v outside [%v, %v]", i+1, iv.Interpolated, iv.Lower, iv.Upper)
			}
		}
	})
}

// Widening never loses a sample and never moves an end inward, and stays
// within the promised width.
func TestWidenIsOutward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := time.Duration(rapid.Int64Range(0, math.MaxInt64-1).Draw(t, "v"))
		w := widen(span{v, v}, finest)
		if w.lo > v || w.hi < v {
			t.Fatalf("widen(%d) = %+v moved inward", v, w)
		}
		if w.hi != Inf && float64(w.hi-w.lo) > float64(v)/1024 {
			t.Fatalf("widen(%d) = %+v is wider than 2^-10", v, w)
		}
	})
	if w := widen(span{5, Inf}, finest); w != (span{5, Inf}) {
		t.Errorf("an open end moved: %+v", w)
	}
}

// More unlike values than are kept exactly: still every sample, still
// rigorous, and the memory does not grow.
func TestBuilderCoarsens(t *testing.T) {
	const n = 2*distinct + 12345
	var b Builder
	for i := range n {
		v := time.Duration(i+1) * 1009
		b.AddRange(v, v, 1)
	}
	if len(b.counts) > distinct {
		t.Fatalf("%d cells are kept", len(b.counts))
	}
	d := b.Dist()
	if d.Count() != n {
		t.Fatalf("count = %d, want %d", d.Count(), n)
	}
	for _, rank := range []uint64{1, 1000, n / 2, n - 1, n} {
		truth := time.Duration(rank * 1009)
		iv := d.AtRank(rank)
		if iv.Lower > truth || iv.Upper < truth || float64(iv.Upper-truth) > float64(truth)/1024 {
			t.Errorf("rank %d: %v in [%v, %v]", rank, truth, iv.Lower, iv.Upper)
		}
	}
}

// Parts that coarsened on their own, to different steps or not at all, merge
// to what one builder holds that saw all samples in another order.
func TestMergedBuildersAreOne(t *testing.T) {
	const n = 3 * distinct
	var whole Builder
	var parts [3]Builder
	for i := range n {
		v := time.Duration(i*i%999_983+i) * 104_729
		whole.AddRange(v, v+time.Duration(i%3)*7, 1)
		parts[i*i/n%7*3/7].AddRange(v, v+time.Duration(i%3)*7, 1)
	}
	var merged Builder
	for _, i := range []int{2, 0, 1} {
		merged.Merge(&parts[i])
	}
	if want, got := whole.Dist(), merged.Dist(); !reflect.DeepEqual(got, want) {
		t.Errorf("%d buckets of %d samples, want %d of %d", len(got.buckets), got.Count(), len(want.buckets), want.Count())
	}
}

func BenchmarkBuilderFewValues(b *testing.B) {
	var d Builder
	for i := range b.N {
		v := time.Duration(i&1023) * time.Millisecond
		d.AddRange(v, v, 1)
	}
}

// Each sample keeps its lower end, and an open end stays open.
func TestLonger(t *testing.T) {
	var b Builder
	b.AddRange(5, 5, 1)
	b.AddRange(7, 9, 2)
	b.AddRange(9, Inf, 1)
	b.AddRange(Inf-2, Inf-2, 1)
	got := slices.Collect(b.Dist().Longer(10).All())
	want := []Bucket{{5, 15, 1}, {7, 19, 2}, {Inf - 2, Inf - 1, 1}, {9, Inf, 1}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
