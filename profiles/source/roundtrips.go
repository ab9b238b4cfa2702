package source

import (
	"fmt"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// roundTrips is the observation of a tool that sends and waits. A reply that
// never came counts as the tool's own timeout, or as the longest reply where
// that took longer: it was no fast one.
func (s *samples) roundTrips(tool, unit string, timeout time.Duration) (*Observation, error) {
	as := "the timeout of " + tool
	if s.lost > 0 {
		if s.n > 0 {
			if longest := s.b.Dist().Max().Upper; longest > timeout {
				timeout, as = longest, "the longest reply"
			}
		}
		s.b.AddRange(timeout, timeout, s.lost)
		s.n += int(s.lost)
	}
	o, err := s.observe(tool, unit)
	if err != nil {
		return nil, err
	}
	o.Measures = RTT
	if s.lost > 0 {
		o.add("LP208", finding.Warning, s.line,
			fmt.Sprintf("%s lost: counted as %s, %s", count(int(s.lost), "reply was", "replies were"), as, boundOf(timeout)), "a network that loses replies needs its own retries in the margin")
	}
	return o, nil
}

func boundOf(d time.Duration) string {
	if d == dist.Inf {
		return "unbounded"
	}
	return dur.Format(d)
}

// spread adds n samples of which only the shortest and the longest are known,
// each within [down, up].
func (s *samples) spread(n uint64, least, most [2]time.Duration, line int) error {
	if n == 0 {
		return nil
	}
	if least[0] > most[0] || n > 1<<40 {
		return s.in.usagef(line, "a shortest of %s, a longest of %s and %d samples cannot be", dur.Format(least[0]), dur.Format(most[0]), n)
	}
	s.add(most[0], most[1], line)
	if n > 1 {
		s.add(least[0], least[1], line)
	}
	if n > 2 {
		s.b.AddRange(least[0], most[1], n-2)
		s.n += int(n - 2)
	}
	return nil
}
