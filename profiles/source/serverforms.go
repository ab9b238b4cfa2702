package source

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// conversation is what a server is asked about one metric.
type conversation struct {
	Server
	ctx    context.Context
	client *http.Client
	base   *url.URL
	q      Query
}

// put puts one expression; nil where the server has no samples for it, which
// nothing then says.
func (c *conversation) put(expression string) (*Observation, error, error) {
	o, err := c.ask(c.ctx, c.client, c.base, expression, c.q)
	if err != nil && (fault.ClassOf(err) == fault.Tool || c.ctx.Err() != nil) {
		return nil, nil, err
	}
	return o, err, nil
}

// buckets asks for classic buckets. Sums over unlike buckets fall from bound
// to bound; the series are then fetched one by one.
func (c *conversation) buckets(series string) (o *Observation, nothing, err error) {
	o, nothing, err = c.put("sum by (le) (" + series + ")")
	if o != nil && o.Dist == nil {
		return c.put(series)
	}
	return o, nothing, err
}

// forms asks for a metric's native histograms, its classic buckets and
// VictoriaMetrics' ranges, and adds up what does not overlap: while a fleet is
// upgraded, each form holds a part of it, and one series may have two of the
// same samples. The finer form then counts, where it holds as much.
func (c *conversation) forms(matchers []Matcher, window string) (*Observation, error) {
	increase := func(name string, more ...Matcher) string {
		return fmt.Sprintf("increase(%s[%s])", selector(name, append(slices.Clip(matchers), more...)), window)
	}
	native, classic := increase(c.q.Metric), increase(c.q.Metric+"_bucket")
	ranges := increase(c.q.Metric+"_bucket", Matcher{Label: "vmrange", Op: "!=", Value: ""})
	// As near as two sums of floats come to each other.
	total := "0.999999 * " + increase(c.q.Metric+"_bucket", Matcher{Label: "le", Op: "=", Value: "+Inf"})

	histograms, _, err := c.put("sum(" + native + ")")
	if err != nil {
		return nil, err
	}
	buckets, _, err := c.buckets(classic)
	if err != nil {
		return nil, err
	}
	pairs, nothing, err := c.put("sum by (vmrange) (" + classic + ")")
	if err != nil {
		return nil, err
	}
	if buckets != nil && (histograms != nil || pairs != nil) {
		rest := classic
		if histograms != nil {
			rest += " unless ignoring (le) (histogram_count(" + native + ") >= ignoring (le) " + total + ")"
		}
		if pairs != nil {
			rest += " unless ignoring (le, vmrange) " + ranges
		}
		if buckets, _, err = c.buckets(rest); err != nil {
			return nil, err
		}
		if buckets != nil && histograms != nil {
			histograms, _, err = c.put("sum(" + native + " unless ignoring (le) (" + total + " > ignoring (le) histogram_count(" + native + ")))")
			if err != nil {
				return nil, err
			}
		}
	}
	var parts []*Observation
	for _, o := range []*Observation{histograms, buckets, pairs} {
		if o != nil {
			parts = append(parts, o)
		}
	}
	if len(parts) == 0 {
		return nil, nothing
	}
	return addForms(parts), nil
}

// addForms is the sum of parts that hold different series, or the one that is
// broken.
func addForms(parts []*Observation) *Observation {
	sum := parts[0]
	for _, o := range parts {
		if o.Dist == nil {
			return o
		}
	}
	for _, o := range parts[1:] {
		sum.Dist = dist.Merge(sum.Dist, o.Dist)
		sum.Series += o.Series
		sum.Mean, sum.Max = nil, nil
		for _, f := range o.Findings {
			if !slices.ContainsFunc(sum.Findings, func(have finding.Finding) bool { return have.ID == f.ID && have.Message == f.Message }) {
				sum.Findings = append(sum.Findings, f)
			}
		}
	}
	if len(parts) > 1 {
		sum.add("LP209", finding.Info, 0, show(sum.Metric)+" is in several forms of histogram, each of other series, as while a fleet is upgraded: they are added up", "")
		sum.Findings[len(sum.Findings)-1].File = sum.File
	}
	return sum
}
