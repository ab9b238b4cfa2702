package source

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// put puts one expression; nil where the server has no samples for it. Any
// other error is one: what cannot be read is not absent.
func (c *conversation) put(expression string) (*Observation, error) {
	o, err := c.ask(c.ctx, c.client, c.base, expression, func(name string, answer io.Reader) (*Observation, error) {
		return Read(name, answer, c.q)
	})
	if err != nil && (fault.ClassOf(err) == fault.NoData || errors.Is(err, errComputed)) {
		return nil, nil // a sum over series that have not the labels of this form
	}
	return o, err
}

// buckets asks for classic buckets. Sums over unlike buckets fall from bound
// to bound, or end above the last one; the series are then fetched one by one.
func (c *conversation) buckets(series string) (*Observation, error) {
	o, err := c.put("sum by (le) (" + series + ")")
	if err != nil || o == nil {
		return nil, err
	}
	if o.Dist != nil {
		if o.Dist.Max().Upper != dist.Inf {
			return o, nil
		}
		// Alike, all bounds have as many series as the first.
		alike, err := c.put("count by (le) (" + series + ")")
		if err != nil || alike == nil || alike.Dist != nil && oneBucket(alike.Dist) {
			return o, err
		}
	}
	return c.put(series)
}

func oneBucket(d *dist.Dist) bool {
	n := 0
	for range d.All() {
		n++
	}
	return n == 1
}

// forms asks for a metric's native histograms, its classic buckets and
// VictoriaMetrics' ranges, and adds up what does not overlap: while a fleet is
// upgraded, each form holds a part of it, and one series may have two of the
// same samples. The finer form then counts, where it holds as much. Series of
// which there is only a count have samples that nothing bounds. It is nil where
// the server has none of the forms.
func (c *conversation) forms(matchers []Matcher, window string) (*Observation, error) {
	increase := func(name string, more ...Matcher) string {
		return fmt.Sprintf("increase(%s[%s])", selector(name, append(slices.Clip(matchers), more...)), window)
	}
	native, classic := increase(c.q.Metric), increase(c.q.Metric+"_bucket")
	ranges := increase(c.q.Metric+"_bucket", Matcher{Label: "vmrange", Op: "!=", Value: ""})
	// As near as two sums of floats come to each other.
	total := "0.999999 * " + increase(c.q.Metric+"_bucket", Matcher{Label: "le", Op: "=", Value: "+Inf"})

	histograms, err := c.put("sum(" + native + ")")
	if err != nil {
		return nil, err
	}
	buckets, err := c.buckets(classic)
	if err != nil {
		return nil, err
	}
	pairs, err := c.put("sum by (vmrange) (" + classic + ")")
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
		if buckets, err = c.buckets(rest); err != nil {
			return nil, err
		}
		if buckets != nil && histograms != nil {
			histograms, err = c.put("sum(" + native + " unless ignoring (le) (" + total + " > ignoring (le) histogram_count(" + native + ")))")
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
		return nil, nil
	}
	sum := addForms(parts)
	if sum.Dist == nil {
		return sum, nil
	}
	// As a bucket that is never full, it reads like any other answer.
	counted, err := c.put("label_replace(sum(" + increase(c.q.Metric+"_count") + " unless ignoring (le, vmrange) " + classic + " unless " + native + `), "le", "+Inf", "", "")`)
	if err != nil {
		return nil, err
	}
	if counted != nil && counted.Dist != nil {
		sum.Dist = dist.Merge(sum.Dist, counted.Dist)
		sum.Mean, sum.Max = nil, nil
		sum.add("LP206", finding.Warning, 0, uncounted(sum.Metric, float64(counted.Dist.Count())), "export histograms from every instance")
		sum.Findings[len(sum.Findings)-1].File = sum.File
	}
	return sum, nil
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
