package dist

import (
	"math"
	"sort"
	"time"

	"github.com/lockplan/lockplan/calc/portable"
)

// fixedModel is one grid's upper and lower convolution, and the estimate's
// where percentiles are all that is known.
type fixedModel struct {
	parts        Parts
	many         bool // pauses in each lease that is asked about
	lower, upper *convolution
	middle       *convolution
	raised       *convolution // upper, with the rate's sampling error
}

func newFixedModel(p Parts, least, most time.Duration, parts int64, many bool) *fixedModel {
	g := [2]grid{newGrid(least, most, parts), newGrid(least, most, parts/4)}
	const chains = 4
	m := &fixedModel{
		parts: p, many: many,
		lower: newConvolution(p.Hold.Lo, p.Pauses.Rate, p.Pauses.Length.Lo, p.Network.Lo, g, chains, many, down),
		upper: newConvolution(p.Hold.Hi, p.Pauses.Rate, p.Pauses.Length.Hi, p.Network.Hi, g, chains, many, up),
	}
	if p.Hold.Mid.Len() > 0 || p.Pauses.Length.Mid.Len() > 0 || p.Network.Mid.Len() > 0 {
		m.middle = newConvolution(p.Hold.estimate(), p.Pauses.Rate, p.Pauses.Length.estimate(), p.Network.estimate(), g, chains, many, up)
	}
	return m
}

// convolution is the law of hold + pauses + network. How many pauses there
// are depends on the hold, so they are summed given each hold: with N pauses,
// Poisson of rate × hold.
type convolution struct {
	hold    Steps
	rate    float64
	length  Steps
	grid    grid
	coarse  grid // for two pauses and more, which are rare
	to      side
	network []Steps // [k] is the network and k pauses
	pauses  []Steps // [k] is k pauses
	// byLength replaces the two where pauses are many.
	many     bool
	byLength []exposure // ascending
	doubled  []chain
	chains   int
}

// mostHolds is how many hold times are told apart.
const mostHolds = 1 << 14

func newConvolution(hold Steps, rate float64, length, network Steps, g [2]grid, chains int, many bool, to side) *convolution {
	if hold.Len() > mostHolds {
		hold = g[0].round(hold, to)
	}
	return &convolution{
		hold: hold, rate: rate, length: g[0].round(length, to), grid: g[0], coarse: g[1], chains: chains, many: many, to: to,
		network: []Steps{network}, pauses: []Steps{stepsOf([]atom{{0, 1}})},
	}
}

// withNetwork is the law of the network and k pauses.
func (c *convolution) withNetwork(k int) Steps {
	for len(c.network) <= k {
		c.network = append(c.network, c.onePauseMore(c.network))
	}
	return c.network[k]
}

// onlyPauses is the law of k pauses.
func (c *convolution) onlyPauses(k int) Steps {
	for len(c.pauses) <= k {
		c.pauses = append(c.pauses, c.onePauseMore(c.pauses))
	}
	return c.pauses[k]
}

func (c *convolution) onePauseMore(sofar []Steps) Steps {
	g := c.grid
	if len(sofar) > 1 {
		g = c.coarse
	}
	return g.sum(sofar[len(sofar)-1], c.length, c.to)
}

// mostPauses bounds how many pauses in one hold are told apart. More of them
// count as a loss on the upper side and not at all on the lower.
const mostPauses = 64

// negligible is a probability that no fleet will ever see.
const negligible = 1e-18

// exceeds is P(hold + pauses + network > T).
func (c *convolution) exceeds(T time.Duration) float64 {
	without, with, rest, _ := c.split(T)
	if c.to == up {
		return without + with + rest
	}
	return without + with
}

// split is P(hold + pauses + network > T) in three parts: the hold alone
// above T or no pause, one to most pauses, and at most rest with more.
func (c *convolution) split(T time.Duration) (without, with, rest float64, most int) {
	beyond := c.hold.Exceeds(T)
	if c.many {
		return beyond, c.exceedsByExposure(T), 0, mostWithin(c.rate * T.Seconds())
	}
	weights := make([]float64, c.hold.Len())
	for i, h := range c.hold.at {
		if h > T {
			weights = weights[:i]
			break
		}
		weights[i] = float64(c.hold.mass[i] * portable.Exp(-c.rate*h.Seconds()))
	}
	without = beyond + c.given(0, T, weights)
	if c.rate == 0 {
		return without, 0, 0, 0
	}
	for most = 0; ; {
		// More than most pauses in the longest hold that is not already lost.
		rest = float64(poissonAbove(most, c.rate*T.Seconds()) * (1 - beyond))
		if rest <= max(0.005*(without+with), negligible) || most == mostPauses {
			return without, with, rest, most
		}
		most++
		for i := range weights {
			weights[i] = float64(weights[i] * (c.rate * c.hold.at[i].Seconds() / float64(most)))
		}
		with += c.given(most, T, weights)
	}
}

// given is the loss with k pauses, weights being P(H = at[i], N = k).
func (c *convolution) given(k int, T time.Duration, weights []float64) float64 {
	rest := c.withNetwork(k)
	sum := 0.0
	above := len(rest.at) // the first value that T minus the hold leaves no room for
	for i, w := range weights {
		room := T - c.hold.at[i]
		for above > 0 && rest.at[above-1] > room {
			above--
		}
		if above < len(rest.at) {
			sum += float64(w * rest.from[above])
		}
	}
	return sum
}

// poisson is P(N = k) for a mean of mu.
func poisson(k int, mu float64) float64 {
	if mu == 0 {
		if k == 0 {
			return 1
		}
		return 0
	}
	p := portable.Exp(-mu)
	if p > 0 {
		for i := 1; i <= k; i++ {
			p = float64(p * (mu / float64(i)))
		}
		return p
	}
	lg := -mu + float64(float64(k)*portable.Log(mu))
	for i := 2; i <= k; i++ {
		lg -= portable.Log(float64(i))
	}
	return portable.Exp(lg)
}

// poissonAbove is P(N > k) for a mean of mu, summed from its largest terms.
func poissonAbove(k int, mu float64) float64 {
	if k == 0 {
		return -portable.Expm1(-mu)
	}
	if float64(k) < mu {
		below := 0.0
		for i := 0; i <= k; i++ {
			below += poisson(i, mu)
		}
		return max(0, 1-below)
	}
	sum, term := 0.0, poisson(k+1, mu)
	for i := k + 2; term > 1e-17*sum && term > 0; i++ {
		sum += term
		term = float64(term * (mu / float64(i)))
	}
	return sum
}

// anyDependence is the bound that holds whatever ties hold, pauses and network
// together: whichever way T is split, one of them must exceed its part.
// Pauses that matter little beside the independent figure are only counted.
func (m *fixedModel) anyDependence(T time.Duration, independent float64) float64 {
	c := m.upper
	// Pauses that matter begin within T: later ones find the lease gone.
	weights, left := []float64{1}, 0.0
	var all *exposure
	if c.many {
		all = c.during(T)
	} else if c.rate > 0 {
		weights = nil
		for k := 0; ; k++ {
			weights = append(weights, poisson(k, c.rate*T.Seconds()))
			left = poissonAbove(k, c.rate*T.Seconds())
			if left <= max(0.005*independent, negligible) || k == mostPauses {
				break
			}
		}
	}
	pausesExceed := func(t time.Duration) float64 {
		if all != nil {
			return all.pauses.Exceeds(t)
		}
		sum := left
		for k := 1; k < len(weights); k++ {
			sum += float64(weights[k] * c.onlyPauses(k).Exceeds(t))
		}
		return sum
	}
	network := m.parts.Network.Hi
	if all == nil && c.rate == 0 {
		return twoParts(c.hold, network, T)
	}
	best, bestHold, bestNetwork := 1.0, time.Duration(0), time.Duration(0)
	search := func(networks, holds []time.Duration) {
		for _, n := range networks {
			overNetwork := network.Exceeds(n)
			if overNetwork >= best {
				continue
			}
			for _, h := range holds {
				if h > T-n {
					break
				}
				two := overNetwork + c.hold.Exceeds(h)
				if two >= best {
					continue
				}
				if sum := two + pausesExceed(T-n-h); sum < best {
					best, bestHold, bestNetwork = sum, h, n
				}
			}
		}
	}
	// Beside one constant part the other two are all that there is.
	networks, holds := splits(network, T, mostSplits), splits(c.hold, T, mostSplits)
	if len(network.at) == 1 {
		holds = splits(c.hold, T, len(c.hold.at))
	}
	if len(c.hold.at) == 1 {
		networks = splits(network, T, len(network.at))
	}
	search(networks, holds)
	for before := 2.0; best < before; {
		before = best
		search([]time.Duration{bestNetwork}, splits(c.hold, T, len(c.hold.at)))
		search(splits(network, T, len(network.at)), []time.Duration{bestHold})
	}
	return best
}

// twoParts is the least of P(X > u) + P(Y > T - u) over all u, which some
// coupling of X and Y attains (Makarov 1981, Rueschendorf 1982). P(X > u) falls
// at the values of X only.
func twoParts(x, y Steps, T time.Duration) float64 {
	best := 1.0
	rest := len(y.at) // the first value of y that is above T - u
	for i, u := range x.at {
		if u > T {
			break
		}
		for rest > 0 && y.at[rest-1] > T-u {
			rest--
		}
		over := x.after(i)
		if rest < len(y.at) {
			over += y.from[rest]
		}
		best = min(best, over)
	}
	return best
}

// mostSplits is how many places of one part are tried beside those of two
// others at first; leaving some out can only raise the bound.
const mostSplits = 192

// splits are values of s at which splitting T can be best: P(X > u) falls only
// there. Where there are more than most, those are kept at which P(X > u) has
// fallen by about the same share each time, so that the far end has as many as
// the middle.
func splits(s Steps, T time.Duration, most int) []time.Duration {
	at := s.at[:sort.Search(len(s.at), func(i int) bool { return s.at[i] > T })]
	few := make([]time.Duration, 0, min(len(at), most)+2)
	if len(at) == 0 || at[0] > 0 {
		few = append(few, 0)
	}
	if len(at) <= most {
		return append(few, at...)
	}
	last := len(at) - 1
	share := portable.Exp(portable.Log(s.from[last]/s.from[0]) / float64(most-1))
	kept := 1.0 // P(X > u) at the latest one
	for i, u := range at {
		over := s.after(i)
		if over <= kept*share || i == last {
			few = append(few, u)
			kept = over
		}
	}
	return few
}

// sampled adds what the samples may have missed. The allowed error is shared
// by the rate of the pauses (Chernoff's bound), their lengths, and the rest:
// a mean of values in [0, 1] over as many independent draws as the scarcer of
// hold and network has samples (Hoeffding's bound in its relative-entropy
// form). Where pauses are few, their law is raised by Massart's band, in which
// a share of them may be longer than any that was seen; where they are many,
// the draws that the mean is taken over are blocks of them.
func (m *fixedModel) sampled(T time.Duration, confidence float64) float64 {
	p := m.parts
	draws := fewest(p.Hold.Samples, p.Network.Samples)
	n := p.Pauses.Length.Samples
	if p.Pauses.Rate == 0 || n == 0 {
		if draws == 0 {
			return 0
		}
		return meanBound(m.upper.exceeds(T), float64(draws), 1-confidence)
	}
	alpha := (1 - confidence) / 3
	if m.raised == nil {
		c := *m.upper
		c.rate = float64(c.rate * rateBound(float64(n), alpha) / float64(n))
		c.byLength, c.doubled = nil, nil
		if !m.many {
			c.length = c.length.raised(math.Sqrt(-portable.Log(alpha) / (2 * float64(n))))
			c.network, c.pauses = c.network[:1:1], c.pauses[:1:1]
		}
		m.raised = &c
	}
	without, with, rest, most := m.raised.split(T)
	if m.many {
		draws = fewest(draws, max(1, n/uint64(max(1, most))))
	}
	total := min(1, (without+with+rest)*(1+floatGuard))
	if draws == 0 {
		return total
	}
	return meanBound(total, float64(draws), alpha)
}

// raised moves a share of the mass, from the smallest values on, to Inf.
func (s Steps) raised(share float64) Steps {
	atoms := []atom{{Inf, min(1, share)}}
	left := share
	for i, m := range s.mass {
		taken := min(m, left)
		left -= taken
		atoms = append(atoms, atom{s.at[i], m - taken})
	}
	return stepsOf(atoms)
}

// fewest is the smaller of two sample counts, where 0 is "needs none".
func fewest(a, b uint64) uint64 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	return min(a, b)
}

// meanBound is the largest mean of n independent values in [0, 1] that an
// average of mean would not refute at error alpha (Hoeffding 1963, theorem 1).
func meanBound(mean, n, alpha float64) float64 {
	if mean >= 1 {
		return 1
	}
	limit := -portable.Log(alpha) / n
	lo, hi := mean, 1.0
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if divergence(mean, mid) < limit {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// divergence is the relative entropy of a coin of p from a coin of q > p.
func divergence(p, q float64) float64 {
	d := 0.0
	if p > 0 {
		d = float64(p * portable.Log(p/q))
	}
	if q >= 1 {
		return math.Inf(1)
	}
	return d + float64((1-p)*portable.Log((1-p)/(1-q)))
}

// rateBound is the largest mean of a Poisson count that n events would not
// refute at error alpha (Chernoff).
func rateBound(n, alpha float64) float64 {
	limit := -portable.Log(alpha)
	lo, hi := n, n+10*limit+10*math.Sqrt(float64(n*limit))
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		d := mid - n
		if n > 0 {
			d += float64(n * portable.Log(n/mid))
		}
		if d < limit {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
