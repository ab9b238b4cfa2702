package source

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// mostFamilies is how many metrics are kept side by side while no --metric
// says which one is meant.
const mostFamilies = 1 << 14

// families are the metrics of one input, by name.
type families struct {
	in     *input
	q      *Query
	metric string // the one that is asked for, "" for all
	byName map[string]*family
	order  []*family
	last   *family
	names  map[string]bool // metrics that were passed over
	full   bool            // there were more than mostFamilies
	window time.Duration   // of a range, 0 for a single scrape
	now    began
	labels map[string]bool             // of series that --match may have left out
	counts map[string]map[uint64]tally // of metrics that were not met yet
}

func newFamilies(in *input, q *Query) *families {
	fs := &families{
		in: in, q: q, metric: strings.TrimSuffix(q.Metric, "_bucket"),
		byName: make(map[string]*family), names: make(map[string]bool),
	}
	if len(q.Match) > 0 {
		fs.look()
	}
	return fs
}

// look notes the labels at the start of a page of text, for the hint of a
// --match that nothing satisfies.
func (fs *families) look() {
	var s sample
	for line := range bytes.Lines(fs.in.head) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' || !s.cut(line) {
			continue
		}
		name, isBucket := bytes.CutSuffix(s.name, []byte("_bucket"))
		if isBucket && (s.leFrom > 0 || s.get("vmrange") != nil) || s.get("quantile") != nil {
			if fs.wanted(name) {
				fs.unmatched(&s)
			}
		}
	}
}

// unmatched notes the labels of a series that --match leaves out.
func (fs *families) unmatched(s *sample) {
	if fs.labels == nil {
		fs.labels = make(map[string]bool)
	}
	for _, l := range s.labels {
		switch name := string(l.name); name {
		case "le", "quantile", "vmrange":
		default:
			if len(fs.labels) < mostFamilies {
				fs.labels[name] = true
			}
		}
	}
}

// wanted says whether a metric is asked for; those that are not are
// remembered for the hint of a name that is not there.
func (fs *families) wanted(name []byte) bool {
	return fs.metric == "" || string(name) == fs.metric
}

// of is the family of that name, nil when there are too many.
func (fs *families) of(name []byte) *family {
	if fs.last != nil && fs.last.name == string(name) {
		return fs.last
	}
	f := fs.byName[string(name)]
	if f == nil {
		if len(fs.order) >= mostFamilies {
			fs.full = true
			return nil
		}
		f = &family{in: fs.in, q: fs.q, name: string(name), now: &fs.now, early: fs.counts[string(name)]}
		fs.byName[f.name] = f
		fs.order = append(fs.order, f)
	}
	fs.last = f
	return f
}

// known is the family of that name if it was seen before, or is asked for.
func (fs *families) known(name []byte) *family {
	if fs.metric != "" {
		return fs.of(name)
	}
	if fs.last != nil && fs.last.name == string(name) {
		return fs.last
	}
	return fs.byName[string(name)]
}

// pass remembers the name of a metric that was not asked for.
func (fs *families) pass(name []byte) {
	if len(fs.names) < mostFamilies && !fs.names[string(name)] {
		fs.names[string(name)] = true
	}
}

// selected is the family of a series of buckets or quantiles, nil where it is
// not asked for.
func (fs *families) selected(s *sample) *family {
	name, isBucket := bytes.CutSuffix(s.name, []byte("_bucket"))
	if !isBucket && s.get("quantile") == nil {
		return nil
	}
	if !fs.wanted(name) {
		fs.pass(name)
		return nil
	}
	f := fs.of(name)
	if len(fs.q.Match) > 0 && !s.matches(fs.q.Match) {
		fs.unmatched(s)
		return nil
	}
	return f
}

// aside takes a line of _sum or _count behind its buckets, or of a start;
// false for any other.
func (fs *families) aside(s *sample, value float64, line int) bool {
	base, isSum := bytes.CutSuffix(s.name, []byte("_sum"))
	of, isCount := bytes.CutSuffix(s.name, []byte("_count"))
	switch {
	case isSum && fs.byName[string(base)] != nil:
		fs.byName[string(base)].summed(s.id(), value)
	case isCount && (!fs.wanted(of) || !s.matches(fs.q.Match)):
	case isCount && fs.known(of) != nil:
		fs.known(of).tallied(s.id(), value, line)
	case isCount && fs.metric == "":
		fs.wait(of, s.id(), tally{value, line})
		return false
	default:
		return fs.began(s, value)
	}
	return true
}

// began takes a line that says since when counters count.
func (fs *families) began(s *sample, value float64) bool {
	if fs.q.kept != nil {
		fs.q.kept.before.take(s, value)
	}
	if fs.q.collect != nil {
		return fs.q.collect.before.take(s, value)
	}
	return fs.now.take(s, value)
}

// observe picks the family that is meant and says what it holds.
func (fs *families) observe() (*Observation, error) {
	for _, f := range fs.order {
		f.finishRanges() // before the classic series, which may yield to them
		f.finishAll()
		f.weigh()
		f.leftOver()
	}
	if fs.metric == "" {
		if o, err := fs.preset(); o != nil || err != nil {
			return o, err
		}
	}
	var found, others []*family
	for _, f := range fs.order {
		switch {
		case !f.hasSamples():
		case fs.metric == "" && (fs.isForeign(f) || f.onlyClaims()):
			others = append(others, f)
		default:
			found = append(found, f)
		}
	}
	if len(found) == 0 && len(others) == 1 {
		found = others
	}
	switch {
	case len(found) == 1:
		o, err := found[0].observe(fs.in, fs.q)
		if err == nil && fs.window > 0 {
			o.Window = &fs.window
		}
		return o, err
	case fs.full:
		return nil, fault.Usagef("%s holds more than %d metrics", show(fs.in.name), mostFamilies).Hintf("--metric NAME")
	case len(found) > 1:
		return nil, fault.Usagef("%s holds several histograms: %s", show(fs.in.name), list(namesOf(found))).
			Hintf("--metric %s", show(found[0].name))
	case len(others) > 1:
		return nil, fault.Usagef("%s holds several metrics: %s", show(fs.in.name), list(namesOf(others))).Hintf("--metric NAME")
	}
	return nil, fs.missing()
}

// isForeign is a metric that is only taken by name: no duration, or a
// runtime's own where a service's latency is asked for.
func (fs *families) isForeign(f *family) bool {
	runtime := strings.HasPrefix(f.name, "go_") || strings.HasPrefix(f.name, "jvm_") || strings.HasPrefix(f.name, "nodejs_")
	return notDurations[lastWord(f.name)] || notDurations[f.declared] || runtime && fs.q.Measures == Latency
}

func (fs *families) missing() error {
	var names []string
	for name := range fs.names {
		names = append(names, name)
	}
	slices.Sort(names)
	hint := "it has no histogram and no summary"
	if len(names) > 0 {
		hint = "it has " + list(names)
	}
	switch {
	case fs.labels != nil, fs.byName[fs.metric] != nil && len(fs.q.Match) > 0:
		of := "histogram or summary"
		if fs.metric != "" {
			of = "series of " + show(fs.metric)
		}
		labels := "its series have no labels"
		if len(fs.labels) > 0 {
			labels = "its labels are " + list(slices.Sorted(maps.Keys(fs.labels)))
		}
		return fault.Usagef("%s: no %s satisfies --match", show(fs.in.name), of).Hintf("%s", labels)
	case fs.metric == "":
		return fault.NoDataf("%s has no histogram and no summary", show(fs.in.name)).
			Hintf("a page with name_bucket lines, such as curl host:port/metrics")
	case fs.byName[fs.metric] != nil:
		return fault.NoDataf("%s: metric %s has no buckets and no quantiles", show(fs.in.name), show(fs.metric)).Hintf("%s", hint)
	}
	return fault.Usagef("%s: metric %s is not there", show(fs.in.name), show(fs.metric)).Hintf("%s", hint)
}

func namesOf(fs []*family) []string {
	var names []string
	for _, f := range fs {
		names = append(names, f.name)
	}
	return names
}

// list names a few and counts the rest.
func list(names []string) string {
	const most = 12
	var shown []string
	for _, name := range names[:min(most, len(names))] {
		shown = append(shown, show(name))
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - most; more > 0 {
		text += ", and " + count(more, "more", "more")
	}
	return text
}
