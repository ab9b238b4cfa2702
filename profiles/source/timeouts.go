package source

import (
	"math"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/finding"
)

// giveUp takes n calls that were given up after a time: the work would have
// taken longer, and nothing says how much.
func (s *samples) giveUp(after time.Duration, n uint64, line int) {
	if n == 0 {
		return
	}
	if s.n == 0 {
		s.line = line
	}
	s.n += int(n)
	s.b.AddRange(after, dist.Inf, n)
}

// gaveUp tells of them.
func (o *Observation) gaveUp(n uint64) {
	if n > 0 {
		o.add("LP202", finding.Warning, 0, count(int(n), "call was given up", "calls were given up")+" at a timeout: how long the work would have taken has no bound", "a longer timeout, and measure again")
	}
}

// among turns percentiles of the calls whose time is known into those of all
// calls: the others may have been the slowest. held says that the percentiles
// hold the others too, at a time that was too short. A fraction is rounded
// down to a millionth, which claims less; one of nothing says nothing.
func (c *claimed) among(known, all uint64, held bool) {
	c.requests = all
	if known >= all {
		return
	}
	share := float64(known) / float64(all)
	for i := range c.claims {
		q := c.claims[i].Q * share
		if held {
			q = c.claims[i].Q - (1 - share)
		}
		c.claims[i].Q = math.Floor(q*1e6) / 1e6
	}
	c.claims = slices.DeleteFunc(c.claims, func(a Claim) bool { return a.Q <= 0 })
}
