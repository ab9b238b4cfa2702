package input

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/source"
)

// Outside is what resolving reads from outside of the set.
type Outside struct {
	// Open opens an observation; "-" is standard input.
	Open func(path string) (io.ReadCloser, error)
	// Library finds a lock library by name.
	Library func(name string) (calc.Library, error)
	// Server asks a server; nil asks none.
	Server func(source.Server, source.Query) (*source.Observation, error)
	// Secret reads a secret from the environment by its name without LOCKPLAN_.
	Secret func(name string) string
	// HoldOptional is set by check, which also answers without a hold.
	HoldOptional bool
}

// Resolved is a set as the model takes it, with what was found on the way.
type Resolved struct {
	Inputs   calc.Inputs
	Said     []plan.Input // every input that counts, with its source
	Findings []finding.Finding
	// Hold, Pauses and RTTs are the merged observations, nil where there are
	// none: the risk model works on whole distributions.
	Hold, Pauses, RTTs *dist.Dist
	PauseWindow        *time.Duration
	// Claims are the percentiles of the hold that somebody states.
	Claims []dist.Percentile
}

// Resolve reads every value and every observation of a set. Errors are
// *fault.Error and name the flag or the file and line.
func Resolve(set Set, out Outside) (Resolved, error) {
	r := resolver{set: set, out: out}
	r.scalars()
	if r.err == nil {
		r.hold()
		r.tellMedian()
	}
	if r.err == nil {
		r.pauses()
	}
	if r.err == nil {
		r.rtts()
	}
	return r.got, r.err
}

// resolver carries the first error, so that readers of single values stay
// one line each.
type resolver struct {
	set Set
	out Outside
	got Resolved
	err error
}

// value is the parsed value of a key, or the zero value.
func value[T any](r *resolver, name string) (v T, given bool) {
	said, given := r.set[name]
	if !given || r.err != nil {
		return v, false
	}
	key, _ := Find(name)
	parsed, err := parse(key, said)
	if err != nil {
		r.err = err
		return v, false
	}
	return parsed.(T), true
}

// bound is a duration that was said.
func (r *resolver) bound(name string) calc.Bound {
	d, given := value[time.Duration](r, name)
	if !given {
		return calc.Bound{}
	}
	said := r.set[name]
	return calc.Bound{Value: d, Known: true, Kind: said.kind(), Source: said.Source, File: said.File, Line: said.Line}
}

func (r *resolver) scalars() {
	in := &r.got.Inputs
	for _, key := range Keys { // also those that nothing reads this time: a typo is one anyhow
		said, given := r.set[key.Name]
		switch {
		case given && r.err == nil:
			r.err = Check(key, said)
			r.got.Said = append(r.got.Said, plan.Input{Name: key.Name, Value: strings.Join(said.Texts, ", "), Source: said.Source, Kind: said.kind()})
		case !given && key.Default != "":
			r.got.Said = append(r.got.Said, plan.Input{Name: key.Name, Value: key.Default, Source: "default", Kind: calc.Assumed})
		}
	}
	for name, b := range map[string]*calc.Bound{
		"margin": &in.Margin, "rtt": &in.RTT, "jitter": &in.Jitter, "sched": &in.Sched, "pause": &in.Pause,
		"rto": &in.RTO, "deadline": &in.Deadline, "work": &in.Work, "reply": &in.Reply, "confirm": &in.Confirm,
		"queue-sla": &in.QueueSLA, "detect": &in.Detect, "retry-after": &in.Backoff, "max-hold": &in.MaxHold,
	} {
		*b = r.bound(name)
	}
	in.Percentile, _ = value[float64](r, "percentile")
	if in.Percentile == 0 {
		in.Percentile = calc.DefaultPercentile
	}
	in.PauseIncluded, _ = value[bool](r, "pause-included")
	in.Drift, in.DriftGiven = value[calc.Ratio](r, "drift")
	in.Ratio, in.RatioGiven = value[calc.Ratio](r, "ratio")
	in.HoldFactor, _ = value[calc.Ratio](r, "max-hold-factor")
	in.Failures, in.FailuresGiven = value[int](r, "failures")
	in.Contenders, _ = value[int](r, "contenders")
	in.Holders, _ = value[int](r, "holders")
	in.AcquireRate, _ = value[float64](r, "rate")
	mode, _ := value[string](r, "mode")
	in.Mode = calc.Mode(mode)
	if yes, given := value[bool](r, "fencing"); given && yes {
		in.Fencing = calc.FencingYes
	} else if given {
		in.Fencing = calc.FencingNo
	}
	if name, given := value[string](r, "library"); given {
		in.Library, r.err = r.library(name)
	}
	r.yieldMode()
	for _, pair := range [][2]string{{"margin", "rtt"}, {"pause", Pauses}, {"rtt", RTTs}, {"deadline", "queue-sla"}, {"max-hold", "max-hold-factor"}} {
		r.exclude(pair[0], pair[1])
	}
	r.strayOptions()
}

// yieldMode drops a mode that only a profile asks for where the library does
// not have it: the library was chosen, the preset was not.
func (r *resolver) yieldMode() {
	in := &r.got.Inputs
	if in.Library == nil || !r.set["mode"].Preset {
		return
	}
	traits := in.Library.Traits()
	if in.Mode == calc.Fixed && traits.NoFixed || in.Mode == calc.Renewed && traits.NoRenewed {
		in.Mode = calc.Auto
	}
}

// exclude refuses two ways to say the same thing.
func (r *resolver) exclude(a, b string) {
	first, one := r.set[a]
	second, two := r.set[b]
	if one && two && r.err == nil {
		r.err = fault.Usagef("%s and %s say the same thing twice", first.where(a), second.where(b)).Hintf("leave one of them out")
	}
}

// strayOptions refuses an option of an observation file that is not there:
// a flag that does nothing hides a mistake.
func (r *resolver) strayOptions() {
	for _, prefix := range []string{Hold, Pauses, RTTs} {
		if _, given := r.set[prefix]; given {
			continue
		}
		if _, ask := r.asked(prefix); ask {
			continue
		}
		for _, o := range options {
			if said, given := r.set[OptionKey(prefix, o.name)]; given && said.File == "" && r.err == nil {
				r.err = fault.Usagef("%s belongs to --%s, and none is given", said.where(o.name), prefix).Hintf("--%s FILE", prefix)
			}
		}
	}
}

func (r *resolver) library(name string) (calc.Library, error) {
	lib, err := r.out.Library(name)
	if err != nil {
		return nil, r.set["library"].Wrap("library", err)
	}
	return lib, nil
}

// kinds are what can be measured, in words.
var kinds = map[source.Measures]string{
	source.Latency: "how long something takes", source.Pause: "stops of a process", source.RTT: "round trips", source.Clock: "clock offsets",
}

// observation is one kind of input read from its files and merged.
type observation struct {
	dist   *dist.Dist
	claims []source.Claim
	// requests is how many samples the claims are of, 0 where that is not said.
	requests uint64
	name     string // "hold.prom: lock_hold_seconds"
	what     string // the same for a finding that already says its file: "lock_hold_seconds"
	place    rule.Place
	max      *dist.Interval
	mean     *time.Duration // of the only input, by its own sum
	window   *time.Duration
	broken   bool // an error finding says why there is no number
}

// observe reads and merges the files of one kind, or asks the server for its
// metric.
func (r *resolver) observe(prefix string, measures source.Measures) (o observation, given bool) {
	said, given := r.set[prefix]
	read := func(path string, query source.Query) (*source.Observation, error) {
		return source.ReadPath(func(path string) (io.ReadCloser, error) {
			file, err := r.out.Open(path)
			return file, placed(err, said)
		}, path, query)
	}
	if metric, ask := r.asked(prefix); ask && r.out.Server != nil {
		server := r.server()
		said, given = metric, true
		said.Texts = []string{server.URL}
		read = func(_ string, query source.Query) (*source.Observation, error) { return r.out.Server(server, query) }
	}
	if !given || r.err != nil {
		return o, given
	}
	query, err := r.query(prefix, measures)
	if err != nil {
		r.err = err
		return o, true
	}
	if err := query.Share(len(said.Texts)); err != nil {
		r.err = said.Wrap(prefix, err)
		return o, true
	}
	var parts []*dist.Dist
	var inputs []*source.Observation
	lacking := "" // the first input that cannot say
	for i, path := range said.Texts {
		if slices.ContainsFunc(said.Texts[:i], func(before string) bool { return sameFile(before, path) }) {
			r.err = fault.Usagef("%s: %s is given twice, which would count its samples twice", said.where(prefix), path).Hintf("each file once")
			return o, true
		}
		got, err := read(path, query)
		if err != nil && fault.ClassOf(err) == fault.NoData {
			// An input that cannot say is an answer with a finding.
			r.got.Findings = append(r.got.Findings, finding.Finding{ID: rule.LP202.ID, Severity: finding.Error,
				Message: err.Error(), Fix: fault.HintOf(err)})
			lacking = cmp.Or(lacking, path)
			if len(said.Texts) == 1 {
				o.broken, o.name, o.what = true, path, path
			}
			continue
		}
		if err != nil {
			r.err = err
			return o, true
		}
		if got.Measures != measures {
			r.err = fault.Usagef("%s: %s measures %s, and --%s takes %s", said.where(prefix), path, kinds[got.Measures], prefix, kinds[measures]).
				Hintf("--%s with a file of %s", prefix, kinds[measures])
			return o, true
		}
		r.got.Findings = append(r.got.Findings, got.Findings...)
		if got.Dist != nil {
			parts, inputs = append(parts, got.Dist), append(inputs, got)
		} else if len(got.Claims) == 0 {
			lacking, o.broken = cmp.Or(lacking, path), true
		}
		o.add(got)
	}
	if r.err = query.Unused(); r.err != nil {
		return o, true
	}
	if lacking != "" && len(said.Texts) > 1 {
		// The others alone are not what was asked for: the slowest may be in it.
		return observation{broken: true, name: lacking, what: lacking, place: rule.Place{File: lacking}}, true
	}
	if len(parts) > 0 {
		o.dist = dist.Merge(parts...)
		if len(parts) > 1 {
			o.max, o.mean = nil, nil // each is one input's own
			if r.refuseCopies(prefix, o, parts); r.err != nil {
				return o, true
			}
			r.tellSnapshots(prefix, o, inputs)
			if prefix == Hold {
				r.judgePeers(inputs)
			}
		}
		if len(o.claims) > 0 {
			r.err = fault.Usagef("--%s: %s mixes samples with percentiles, which cannot be merged", prefix, o.name).
				Hintf("give one or the other")
		}
	} else if len(said.Texts) > 1 && len(o.claims) > 0 {
		r.got.Findings = append(r.got.Findings, rule.Averaged(o.place, o.what, "percentiles of several inputs cannot be merged; the largest of each counts"))
	}
	return o, true
}

// refuseCopies is an error for two inputs with the same samples, which would
// count twice and pass for more than there are. Few buckets may be alike by
// chance.
func (r *resolver) refuseCopies(prefix string, o observation, parts []*dist.Dist) {
	const telling = 10
	for i := range parts {
		own := slices.Collect(parts[i].All())
		for _, before := range parts[:i] {
			if len(own) >= telling && slices.Equal(own, slices.Collect(before.All())) && r.err == nil {
				r.err = fault.Usagef("--%s: of %s two hold the same %d samples, which would count twice", prefix, o.name, parts[i].Count()).Hintf("each sample once")
			}
		}
	}
}

// add takes the name, the place and the claims of one input; the largest of
// each claim counts, because it bounds the pool (B4).
func (o *observation) add(got *source.Observation) {
	name := got.File
	if got.Metric != "" {
		name += ": " + got.Metric
	}
	if o.name == "" {
		o.name, o.place = name, rule.Place{File: got.File, Line: got.Line}
		o.what = got.Metric
		if o.what == "" {
			o.what = "its samples"
		}
	} else {
		o.name += ", " + name
		o.what = o.name
	}
	o.max, o.window, o.mean, o.requests = got.Max, got.Window, got.Mean, got.Requests
	for _, c := range got.Claims {
		i := slices.IndexFunc(o.claims, func(have source.Claim) bool { return have.Q == c.Q })
		if i < 0 {
			o.claims = append(o.claims, c)
		} else {
			o.claims[i].Value = max(o.claims[i].Value, c.Value)
		}
	}
	slices.SortFunc(o.claims, func(a, b source.Claim) int {
		if a.Q < b.Q {
			return -1
		}
		return 1
	})
}

func (r *resolver) query(prefix string, measures source.Measures) (source.Query, error) {
	text := func(name string) string {
		s, _ := value[string](r, OptionKey(prefix, name))
		return s
	}
	q := source.Query{Measures: measures, Metric: text("metric"), Unit: text("unit"), Format: text("format"),
		Column: text("column"), Field: text("field"), Operation: text("operation"), EarlierName: text("since")}
	_, named := r.set[OptionKey(prefix, "metric")]
	q.NoName = named && q.Metric == ""
	q.SinceStart, _ = value[bool](r, OptionKey(prefix, "since-start"))
	if r.err != nil {
		return q, r.err
	}
	if match := text("match"); match != "" {
		matchers, err := source.ParseMatch(match)
		if err != nil {
			return q, r.set[OptionKey(prefix, "match")].Wrap("match", err)
		}
		q.Match = matchers
	}
	return q, nil
}

// placed adds the line of lockplan.yaml that named a file.
func placed(err error, said Value) error {
	if err == nil || said.File == "" {
		return err
	}
	return said.Wrap("file", err)
}
