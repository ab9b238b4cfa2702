package source

import (
	"cmp"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// claimed is the observation of a tool that prints percentiles only.
type claimed struct {
	in     *input
	claims []Claim
	line   int
	again  int // line of a percentile that was there before
	failed int // requests
	bad    error

	requests       uint64 // that the percentiles speak of, 0 where it is not said
	timed, untimed uint64 // requests that the percentiles hold, and others
	late           uint64 // of those, given up
}

// take files a percentile; text is in unit and was rounded when printed. The
// largest of several runs bounds them all.
func (c *claimed) take(q float64, text []byte, unit time.Duration, line int) {
	_, up, ok := printed(text, unit)
	if !ok {
		c.bad = firstOf(c.bad, c.in.usagef(line, "%s is not a duration", show(text)))
		return
	}
	if c.line == 0 {
		c.line = line
	}
	for i := range c.claims {
		if c.claims[i].Q == q {
			c.again = cmp.Or(c.again, line)
			c.claims[i].Value = max(c.claims[i].Value, up)
			return
		}
	}
	c.claims = append(c.claims, Claim{q, up})
}

// loadTest is the summary of a load generator that waits for each answer, and
// whose percentiles leave out what was not answered.
func (c *claimed) loadTest(unit, how string, take func(line []byte, n int) (bool, error)) (*Observation, error) {
	if err := c.in.each(take); err != nil {
		return nil, err
	}
	c.among(c.timed, c.timed+c.untimed, false)
	o, err := c.observe("latency", unit, how)
	if err != nil {
		return nil, err
	}
	o.gaveUp(c.late)
	o.closedLoop()
	return o, nil
}

func (c *claimed) observe(metric, unit, how string) (*Observation, error) {
	if c.bad != nil {
		return nil, c.bad
	}
	if len(c.claims) == 0 {
		return nil, fault.NoDataf("%s has no percentiles", show(c.in.name))
	}
	slices.SortStableFunc(c.claims, func(a, b Claim) int { return cmp.Compare(a.Q, b.Q) })
	o := &Observation{Metric: metric, Unit: unit, Series: 1, Claims: c.claims, Requests: c.requests, Line: c.line}
	if c.requests > 0 {
		o.add("LP205", finding.Info, c.line, "percentiles of "+count(int(c.requests), "request", "requests")+" that the tool computed: claims", how)
	} else {
		o.add("LP205", finding.Info, c.line, "percentiles that the tool computed: claims, whose samples cannot be counted", how)
	}
	if c.again > 0 {
		o.add("LP205", finding.Warning, c.again, "the percentiles of several runs cannot be merged: the largest of each is taken", how)
	}
	o.failed(c.failed, "request failed", "requests failed")
	return o, nil
}
