package cmd

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/calc/spell"
	"github.com/lockplan/lockplan/profiles/input"
	"github.com/lockplan/lockplan/profiles/source"
)

// observeOptions say what to read and how.
type observeOptions struct {
	query      source.Query
	measures   string
	match      string
	since      string
	server     inputFlags
	plot       string
	budget     calc.Bound
	confidence float64
	percentile float64
}

// shownQuantiles are the rows of the screen, and the planning percentile.
var shownQuantiles = []float64{0.5, 0.9, 0.99, 0.999, 0.9999}

func newObserveCmd(a *app) *cobra.Command {
	var o observeOptions
	cmd := &cobra.Command{
		Use:   "observe FILE…",
		Short: "What a file of observations says, and what it cannot say",
		Example: "  lockplan observe hold.prom --metric lock_hold_seconds\n" +
			"  lockplan observe gc.log --measures pause -o json",
		Args: func(cmd *cobra.Command, args []string) error {
			_, server := o.server.said["prometheus"]
			switch {
			case len(args) == 0 && !server:
				return fault.Usagef("no file to observe").Hintf("lockplan observe hold.prom, - for standard input, or --prometheus URL --metric NAME")
			case len(args) > 0 && server:
				return fault.Usagef("files and a server at once").Hintf("one call for the files, one for --prometheus")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.query.NoName = cmd.Flags().Changed("metric") && o.query.Metric == ""
			return runObserve(a, o, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.query.Metric, "metric", "", "metric by name")
	f.StringVar(&o.match, "match", "", `label matchers, such as 'service="checkout"'`)
	f.StringVar(&o.query.Unit, "unit", "", "unit of bare numbers: s, ms, us or ns")
	f.BoolVar(&o.query.SinceStart, "since-start", false, "counters since start are accepted")
	f.StringVar(&o.since, "since", "", "earlier snapshot to subtract")
	f.StringVar(&o.query.Format, "format", "", "format, where the content does not tell")
	f.StringVar(&o.query.Column, "column", "", "column of a CSV by name or number")
	f.StringVar(&o.query.Field, "field", "", "key of NDJSON")
	f.StringVar(&o.query.Operation, "operation", "", "span name of a trace")
	f.StringVar(&o.measures, "measures", "", "latency, pause, rtt or clock (default: what the format measures)")
	f.Float64Var(&o.confidence, "confidence", calc.DefaultConfidence, "one-sided confidence of the bound from samples")
	f.Float64Var(&o.percentile, "percentile", calc.DefaultPercentile, "planning percentile as a fraction")
	f.StringVar(&o.plot, "plot", "", "draw the survival curve into this .svg or .png file")
	f.Var(duration{&o.budget}, "budget", "with --plot: a time to mark, such as the TTL")
	o.server.registerKeys(cmd, input.ServerKeys)
	f.SortFlags = false
	return cmd
}

func runObserve(a *app, o observeOptions, files []string) error {
	query, err := o.resolve()
	if err != nil {
		return err
	}
	read := func(path string) (*source.Observation, error) { return source.ReadPath(a.open, path, query) }
	if url, asked := o.server.said["prometheus"]; asked {
		server, err := input.ServerOf(input.Stack(a.environment(), o.server.said), a.outside())
		if err != nil {
			return err
		}
		files = url.Texts
		read = func(string) (*source.Observation, error) { return a.outside().Server(server, query) }
	}
	if err := query.Share(len(files)); err != nil {
		return err
	}
	var seen []seen
	for _, path := range files {
		got, err := read(path)
		if err != nil && fault.ClassOf(err) == fault.NoData {
			// An input that cannot say is an answer with a finding.
			got, err = &source.Observation{File: path, Measures: query.Measures, Findings: []finding.Finding{{
				ID: rule.LP202.ID, Severity: finding.Error, Message: err.Error(), Fix: fault.HintOf(err)}}}, nil
		}
		if err != nil {
			return err
		}
		seen = append(seen, see(got, o))
	}
	if err := query.Unused(); err != nil {
		return err
	}
	if o.budget.Known && o.plot == "" {
		return fault.Usagef("--budget marks a time in a picture, and none is asked for").Hintf("--plot hold.svg")
	}
	if o.plot != "" {
		if ext := filepath.Ext(o.plot); ext != ".svg" && ext != ".png" {
			return fault.Usagef("--plot %s: the name ends neither in .svg nor in .png", o.plot).Hintf("--plot hold.svg")
		}
		if len(seen) != 1 {
			return fault.Usagef("--plot draws one observation, not %d", len(seen))
		}
		if err := a.writePlot(seen[0], o); err != nil {
			return err
		}
	}
	if err := a.writeObservations(seen, o); err != nil {
		return err
	}
	return observed(seen)
}

// resolve checks the flags that the reader takes as they are.
func (o observeOptions) resolve() (source.Query, error) {
	q := o.query
	q.EarlierName = o.since
	switch m := source.Measures(o.measures); m {
	case "", source.Latency, source.Pause, source.RTT, source.Clock:
		q.Measures = m
	default:
		return q, fault.Usagef("--measures %q is not one of latency, pause, rtt, clock", o.measures)
	}
	for name, q := range map[string]float64{"confidence": o.confidence, "percentile": o.percentile} {
		if !(q > 0 && q < 1) {
			return source.Query{}, fault.Usagef("--%s %v is no fraction between 0 and 1", name, q).Hintf("P99.9 is 0.999")
		}
	}
	switch q.Unit {
	case "", "s", "ms", "us", "ns":
	default:
		return q, fault.Usagef("--unit %q is not one of s, ms, us, ns", q.Unit)
	}
	if o.match != "" {
		matchers, err := source.ParseMatch(o.match)
		if err != nil {
			return q, err
		}
		q.Match = matchers
	}
	return q, nil
}

// seen is an observation with its percentiles.
type seen struct {
	*source.Observation
	quantiles []seenQuantile
	tail      *dist.Tail // nil where none can be fitted
	findings  []finding.Finding
}

// seenQuantile is one percentile: of a distribution, or a claim.
type seenQuantile struct {
	q        float64
	interval dist.Interval
	rank     uint64        // of the confidence bound, 0 where samples are too few
	bound    dist.Interval // at that rank
	claim    *source.Claim
}

// see computes the percentiles of an observation and what it cannot say.
func see(o *source.Observation, opts observeOptions) seen {
	if o.Measures == "" {
		o.Measures = source.Latency
	}
	s := seen{Observation: o, findings: o.Findings}
	place := rule.Place{File: o.File, Line: o.Line}
	for i := range o.Claims {
		s.quantiles = append(s.quantiles, seenQuantile{q: o.Claims[i].Q, claim: &o.Claims[i]})
	}
	if need := dist.SamplesNeeded(opts.percentile, opts.confidence); o.Requests > 0 && o.Requests < need {
		s.findings = append(s.findings, rule.Thin(place, spell.Percentile(opts.percentile)+" of "+nameOf(o), o.Requests, need, opts.confidence, finding.Warning))
		rule.Sort(s.findings)
	}
	if o.Dist == nil || o.Dist.Count() == 0 {
		return s
	}
	if tail, fitted := o.Dist.Tail(opts.confidence); fitted {
		s.tail = &tail
	}
	for _, q := range withQuantile(opts.percentile) {
		row := seenQuantile{q: q, interval: o.Dist.Quantile(q)}
		if bound, ok := o.Dist.UpperBound(q, opts.confidence); ok {
			row.bound, row.rank = bound, bound.Rank
		}
		s.quantiles = append(s.quantiles, row)
		if q != opts.percentile {
			continue
		}
		what := spell.Percentile(q) + " of " + nameOf(o)
		switch {
		case row.rank == 0:
			s.findings = append(s.findings, rule.Thin(place, what, o.Dist.Count(), dist.SamplesNeeded(q, opts.confidence), opts.confidence, finding.Warning))
		case row.bound.Upper == dist.Inf:
			f := rule.Unbounded(place, what, lastEdge(o.Dist), above(o.Dist), o.Dist.Count(), "for a hold a plan with --mode renewed")
			f.Severity = finding.Warning // observe plans nothing
			s.findings = append(s.findings, f)
		}
	}
	rule.Sort(s.findings)
	return s
}

// withQuantile is the shown quantiles with q among them.
func withQuantile(q float64) []float64 {
	var out []float64
	for _, each := range shownQuantiles {
		if q < each && (len(out) == 0 || out[len(out)-1] < q) {
			out = append(out, q)
		}
		out = append(out, each)
	}
	if out[len(out)-1] < q {
		out = append(out, q)
	}
	return out
}

func nameOf(o *source.Observation) string {
	if o.Metric != "" {
		return o.Metric
	}
	return o.File
}

// observed is the verdict: broken input is no answer.
func observed(all []seen) error {
	for _, s := range all {
		for _, f := range s.findings {
			if f.Severity == finding.Error {
				return verdict{exitNotKnown, f.ID + ": " + placeOf(f) + f.Message, f.Fix}
			}
		}
	}
	return nil
}

// observationList is the JSON document of observe.
type observationList struct {
	Schema  string                `json:"schema"`
	Sources []observationDocument `json:"sources"`
}

type observationDocument struct {
	File        string                 `json:"file"`
	Format      string                 `json:"format"`
	Metric      *string                `json:"metric"`
	Measures    string                 `json:"measures"`
	Unit        string                 `json:"unit"`
	Series      int                    `json:"series"`
	Samples     uint64                 `json:"samples"`
	Lost        uint64                 `json:"lost"`
	Window      *plan.Seconds          `json:"window_seconds"`
	Rate        *float64               `json:"rate_per_second"`
	Mean        *plan.Seconds          `json:"mean_seconds"`
	MeanIsBound bool                   `json:"mean_is_upper_bound"`
	Max         *plan.Seconds          `json:"max_upper_seconds"`
	Percentiles []percentileDocument   `json:"percentiles"`
	Tail        *tailDocument          `json:"tail"`
	Findings    []plan.FindingDocument `json:"findings"`
}

type percentileDocument struct {
	Q            float64       `json:"q"`
	Lower        *plan.Seconds `json:"lower_seconds"`
	Upper        *plan.Seconds `json:"upper_seconds"`
	Interpolated *plan.Seconds `json:"interpolated_seconds"`
	Confidence   *plan.Seconds `json:"confidence_upper_seconds"`
}

type tailDocument struct {
	Xi      float64 `json:"xi"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Verdict string  `json:"verdict"`
}
