package sim

import "github.com/lockplan/lockplan/calc/dist"

// Share is a count among trials as an estimate with its interval.
type Share struct {
	Hits, Trials uint64
	Low, High    float64 // 99 % interval (Clopper-Pearson)
}

// ShareOf is the estimate of a probability from hits among trials.
func ShareOf(hits, trials uint64) Share {
	if trials == 0 {
		return Share{High: 1}
	}
	return Share{
		Hits: hits, Trials: trials,
		Low:  lowest(hits, trials),
		High: 1 - lowest(trials-hits, trials),
	}
}

// lowest is the largest probability for which this many hits or more have a
// chance of at most 0.5 %.
func lowest(hits, trials uint64) float64 {
	if hits == 0 {
		return 0
	}
	lo, hi := 0.0, float64(hits)/float64(trials)
	for hi-lo > 1e-6*min(hi, 1-lo) {
		mid := (lo + hi) / 2
		if j, ok := dist.RankBound(trials, mid, 0.995); ok && j <= hits {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Estimate is hits over trials.
func (s Share) Estimate() float64 {
	if s.Trials == 0 {
		return 0
	}
	return float64(s.Hits) / float64(s.Trials)
}
