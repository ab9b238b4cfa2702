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
	bad    error
}

// take files a percentile; text is in unit and was rounded when printed.
func (c *claimed) take(q float64, text []byte, unit time.Duration, line int) {
	_, up, ok := printed(text, unit)
	if !ok {
		c.bad = firstOf(c.bad, c.in.usagef(line, "%s is not a duration", show(text)))
		return
	}
	if c.line == 0 {
		c.line = line
	}
	c.claims = append(c.claims, Claim{q, up})
}

func (c *claimed) observe(metric, unit, how string) (*Observation, error) {
	if c.bad != nil {
		return nil, c.bad
	}
	if len(c.claims) == 0 {
		return nil, fault.NoDataf("%s has no percentiles", show(c.in.name))
	}
	slices.SortStableFunc(c.claims, func(a, b Claim) int { return cmp.Compare(a.Q, b.Q) })
	o := &Observation{Metric: metric, Unit: unit, Series: 1, Claims: c.claims, Line: c.line}
	o.add("LP205", finding.Info, c.line, "percentiles that the tool computed: claims, whose samples cannot be counted", how)
	return o, nil
}
