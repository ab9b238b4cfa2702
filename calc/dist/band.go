package dist

import "time"

// Band is what is known of a law: it lies between Lo and Hi, in the order in
// which P(X > t) never falls. Where every value is known exactly the two are
// the same.
type Band struct {
	Lo, Hi Steps
	// Samples is how many observations the band rests on; 0 is a claim or a
	// law that is known, which have no sampling error.
	Samples uint64
	// Mid is an interpolation of claimed percentiles: an estimate inside the
	// band. It has no values where the band is not made of claims.
	Mid Steps
}

// BandOf is the empirical law of d: each sample at the lower and at the upper
// end of its bucket.
func BandOf(d *Dist) Band {
	n := float64(d.Count())
	var lo, hi []atom
	for b := range d.All() {
		share := float64(b.Count) / n
		lo = append(lo, atom{b.Lo, share})
		hi = append(hi, atom{b.Hi, share})
	}
	return Band{Lo: stepsOf(lo), Hi: stepsOf(hi), Samples: d.Count()}
}

// Point is the constant d.
func Point(d time.Duration) Band {
	s := stepsOf([]atom{{d, 1}})
	return Band{Lo: s, Hi: s}
}

// Law is a law that is known to be exactly these values with these
// probabilities, which must sum to 1.
func Law(values []time.Duration, probabilities []float64) Band {
	atoms := make([]atom, len(values))
	for i, v := range values {
		atoms[i] = atom{v, probabilities[i]}
	}
	s := stepsOf(atoms)
	return Band{Lo: s, Hi: s}
}

// Shift adds a constant.
func (b Band) Shift(d time.Duration) Band {
	return Band{Lo: b.Lo.shift(d), Hi: b.Hi.shift(d), Mid: b.Mid.shift(d), Samples: b.Samples}
}

// Cap puts every value above limit at limit.
func (b Band) Cap(limit time.Duration) Band {
	return Band{Lo: b.Lo.capped(limit), Hi: b.Hi.capped(limit), Mid: b.Mid.capped(limit), Samples: b.Samples}
}

// estimate is the middle law where there is one, else the upper one: a figure
// is never on the optimistic side of what was read.
func (b Band) estimate() Steps {
	if b.Mid.Len() > 0 {
		return b.Mid
	}
	return b.Hi
}
