package dist

import "time"

// interpolate finds where, with samples spread evenly over their buckets,
// iv.Rank of them lie at or below. The answer is inside iv, so only buckets
// that reach into it are looked at.
func (d *Dist) interpolate(iv Interval) time.Duration {
	if iv.Lower == iv.Upper {
		return iv.Upper
	}
	var below float64
	var reach []Bucket
	for _, b := range d.buckets {
		switch {
		case b.Hi <= iv.Lower:
			below += float64(b.Count)
		case b.Lo < iv.Upper:
			reach = append(reach, b)
		}
	}
	atOrBelow := func(x time.Duration) float64 {
		sum := below
		for _, b := range reach {
			switch {
			case x >= b.Hi:
				sum += float64(b.Count)
			case x > b.Lo:
				sum += float64(float64(b.Count) * (float64(x-b.Lo) / float64(b.Hi-b.Lo)))
			}
		}
		return sum
	}
	lo, hi := iv.Lower, iv.Upper
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if atOrBelow(mid) >= float64(iv.Rank) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}
