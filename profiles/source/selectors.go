package source

import (
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// selectors are the options that select a part of an input, and the formats
// in which each does.
var selectors = []struct {
	option  string
	formats string
	given   func(*Query) bool
	drop    func(*Query)
}{
	{"metric", " prometheus prometheus-json prometheus-dump prometheus-protobuf otlp hdr k6-json k6-csv k6-summary redis-histogram redis-info jtl jtl-xml zookeeper fping ",
		func(q *Query) bool { return q.Metric != "" }, func(q *Query) { q.Metric = "" }},
	{`metric ""`, " hdr jtl jtl-xml ", func(q *Query) bool { return q.NoName }, func(q *Query) { q.NoName = false }},
	{"match", " prometheus prometheus-json prometheus-dump prometheus-protobuf otlp jtl jtl-xml zookeeper fping ",
		func(q *Query) bool { return len(q.Match) > 0 }, func(q *Query) { q.Match = nil }},
	{"column", " csv ", func(q *Query) bool { return q.Column != "" }, func(q *Query) { q.Column = "" }},
	{"field", " ndjson ", func(q *Query) bool { return q.Field != "" }, func(q *Query) { q.Field = "" }},
	{"operation", " jaeger otlp-spans ", func(q *Query) bool { return q.Operation != "" }, func(q *Query) { q.Operation = "" }},
}

// selects is an error when the query selects by something that the format does
// not have: left aside, it would mix what was to be kept apart. Where several
// inputs share the query the option is meant for the others.
func (f format) selects(name string, q *Query) error {
	for _, s := range selectors {
		switch has := strings.Contains(s.formats, " "+f.name+" "); {
		case !s.given(q):
		case has && q.used != nil:
			q.used[s.option] = true
		case !has && q.used != nil:
			s.drop(q)
			q.whole = q.whole || s.option == "match"
		case !has:
			return fault.Usagef("%s: %s has nothing that --%s selects", show(name), f.name, s.option)
		}
	}
	return refuseBuckets(q.Match)
}

// tellWhole is LP208 for an input of which --match selects nothing: the other
// options name what is read, this one leaves something out.
func (o *Observation) tellWhole(q *Query) {
	if q.whole {
		o.add("LP208", finding.Warning, o.Line, "--match selects nothing in "+o.Format+": every sample of this input counts", "an input that holds only what is meant, or one format with labels for all")
	}
}

// refuseBuckets is an error for a condition on a label that tells the buckets
// of one series apart: some of the buckets alone are no histogram.
func refuseBuckets(ms []Matcher) error {
	for _, m := range ms {
		if m.Label == "le" || m.Label == "vmrange" {
			return fault.Usagef("--match: %s is the bound of a bucket, and a histogram takes all of them", m.Label).Hintf("labels of the whole series, such as service")
		}
	}
	return nil
}

// Share makes q the query of n inputs, each of which takes the options that
// its format has; Unused tells afterwards. An earlier snapshot is that of one
// input, so it is an error with several.
func (q *Query) Share(n int) error {
	if n < 2 {
		return nil
	}
	if q.EarlierName != "" {
		return fault.Usagef("an earlier snapshot %s, and %d inputs: of which one is it?", show(q.EarlierName), n).Hintf("one input with its earlier snapshot")
	}
	q.used = make(map[string]bool)
	return nil
}

// Unused is an error for an option that selected something in none of the
// inputs that share q.
func (q *Query) Unused() error {
	for _, s := range selectors {
		if q.used != nil && s.given(q) && !q.used[s.option] {
			return fault.Usagef("none of the inputs has something that --%s selects", s.option).Hintf("leave it out, or add the input it is meant for")
		}
	}
	return nil
}
