package dist

import (
	"math"
	"sort"
	"time"

	"github.com/lockplan/lockplan/calc/portable"
)

// manyPauses is from how many pauses in the longest lease on they are summed
// by exposure instead of one by one.
const manyPauses = 8

// exposure is the law of all pauses within one length of holding.
type exposure struct {
	length  time.Duration
	pauses  Steps
	network Steps // with the network on top, once it was asked for
}

// Frequent pauses are summed by doubling: within e they are the sum of those
// within two halves of e, so doubling a short exposure reaches any. Four
// chains of doublings make the lengths 19 % apart. A hold counts as the next
// longer exposure on the upper side and as the next shorter on the lower.

// chain is one of them.
type chain struct {
	next time.Duration // length of the exposure that comes next
	left int           // exposures that come yet
	law  Steps         // of the one before; no values before the first
}

const ln2 = 0.6931471805599453

// exposures are made from the shortest on, as far as a hold needs them.
func (c *convolution) exposures(hold time.Duration) []exposure {
	if c.doubled == nil {
		longest := c.grid[len(c.grid)-1]
		c.doubled = make([]chain, c.chains)
		for q := range c.doubled {
			d := &c.doubled[q]
			d.next = time.Duration(float64(longest) * portable.Exp(-float64(float64(q)*ln2/float64(c.chains))))
			d.left = 1
			for c.rate*d.next.Seconds() > 0.5 {
				d.next /= 2
				d.left++
			}
		}
	}
	for n := len(c.byLength); n == 0 || c.byLength[n-1].length < hold; n++ {
		var shortest *chain
		for q := range c.doubled {
			if d := &c.doubled[q]; d.left > 0 && (shortest == nil || d.next < shortest.next) {
				shortest = d
			}
		}
		if shortest == nil {
			break
		}
		c.byLength = append(c.byLength, c.double(shortest))
	}
	return c.byLength
}

// double makes the next exposure of a chain.
func (c *convolution) double(d *chain) exposure {
	if d.law.Len() == 0 {
		d.law = c.within(d.next)
	} else {
		d.law = c.grid.twice(d.law, c.to).pruned(c.to)
	}
	e := exposure{length: d.next, pauses: d.law}
	d.next *= 2
	d.left--
	return e
}

// within is the law of the pauses in a length that seldom has more than one.
func (c *convolution) within(length time.Duration) Steps {
	mu := c.rate * length.Seconds()
	var atoms []atom
	for k := 0; ; k++ {
		weight, rest := poisson(k, mu), poissonAbove(k, mu)
		s := c.onlyPauses(k)
		last := rest < negligible
		if last && c.to == down {
			weight += rest
		}
		for i, v := range s.at {
			atoms = append(atoms, atom{v, float64(weight * s.mass[i])})
		}
		if last {
			if c.to == up {
				atoms = append(atoms, atom{Inf, rest})
			}
			return stepsOf(atoms).pruned(c.to)
		}
	}
}

// during finds the exposure that a hold counts as; nil is none.
func (c *convolution) during(hold time.Duration) *exposure {
	all := c.exposures(hold)
	at := sort.Search(len(all), func(i int) bool { return all[i].length >= hold })
	if c.to == down && (at == len(all) || all[at].length > hold) {
		at--
	}
	if at < 0 || at == len(all) {
		return nil
	}
	return &all[at]
}

// exceedsByExposure is P(hold + pauses + network > T) without the holds above
// T.
func (c *convolution) exceedsByExposure(T time.Duration) float64 {
	sum := 0.0
	for i, h := range c.hold.at {
		if h > T {
			break
		}
		rest := c.network[0]
		if e := c.during(h); e != nil {
			if e.network.Len() == 0 {
				e.network = c.grid.sum(e.pauses, c.network[0], c.to)
			}
			rest = e.network
		}
		sum += float64(c.hold.mass[i] * rest.Exceeds(T-h))
	}
	return sum
}

// mostWithin is a number of pauses that an exposure does not exceed, as good
// as certainly.
func mostWithin(mu float64) int {
	return int(mu + 10*math.Sqrt(mu) + 20)
}

// pruned moves tails that no figure can show out of the way, up or down: what
// is left of a sum of many pauses is a narrow law.
func (s Steps) pruned(to side) Steps {
	const tail = negligible / 1000
	low, high := 0, len(s.at)
	lost := 0.0
	for low < high-1 && lost+s.mass[low] < tail {
		lost += s.mass[low]
		low++
	}
	for high > low+1 && s.from[high-1] < tail {
		high--
	}
	if low == 0 && high == len(s.at) {
		return s
	}
	var atoms []atom
	for i := low; i < high; i++ {
		atoms = append(atoms, atom{s.at[i], s.mass[i]})
	}
	below, above := atom{0, lost}, atom{s.at[high-1], 0.0}
	if to == up {
		below.at, above.at = s.at[low], Inf
	}
	if high < len(s.at) {
		above.mass = s.from[high]
	}
	return stepsOf(append(atoms, below, above))
}
