package source

import (
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// presets are the metrics that are read when none is named, by what is asked
// for. The members of a group are added up: they hold different events. Of
// the groups that are there the one with the longest counts: each is blind to
// stops that another one shows.
var presets = map[Measures][][]string{
	Pause: {
		{"go_sched_pauses_total_gc_seconds", "go_sched_pauses_total_other_seconds"},
		{"go_gc_pauses_seconds"}, // the old name of the first
		{"nodejs_gc_duration_seconds"},
		{eventLoop},
		{goCycles},
	},
	RTT: {
		{"etcd_network_peer_round_trip_time_seconds"},
	},
}

// goCycles is a summary whose quantile 1 is the longest of the last 256 cycles
// at most: a recent maximum.
const goCycles = "go_gc_duration_seconds"

// judgeRecent is LP208 for claims that speak of the last while only.
func (f *family) judgeRecent(o *Observation) {
	switch f.name {
	case eventLoop:
		o.add("LP208", finding.Warning, f.line, "the delays since the last scrape stand in for all", "max_over_time of nodejs_eventloop_lag_max_seconds, or node --trace-gc")
	case goCycles:
		o.add("LP208", finding.Warning, f.line, "quantile 1 of "+goCycles+" is the longest of the last cycles only: longer stops are forgotten", "export go_sched_pauses_total_gc_seconds, or run with GODEBUG=gctrace=1")
	}
}

// preset reads the group that fits what is asked for; nil when there is none.
func (fs *families) preset() (*Observation, error) {
	var worst *Observation
	var empty error
	for _, group := range presets[fs.q.Measures] {
		var whole *Observation
		for _, name := range group {
			f := fs.byName[name]
			if f == nil || !f.hasSamples() {
				continue
			}
			o, err := f.observe(fs.in, fs.q)
			if err != nil && fault.ClassOf(err) == fault.NoData {
				empty = err // nothing of this kind has happened
				continue
			}
			if err != nil {
				return nil, err
			}
			if whole == nil {
				whole = o
				continue
			}
			whole.Metric += " + " + o.Metric
			whole.Series += o.Series
			whole.Findings = append(whole.Findings, o.Findings...)
			whole.Mean = nil
			if whole.Dist != nil && o.Dist != nil {
				whole.Dist = dist.Merge(whole.Dist, o.Dist)
			} else {
				whole.Dist = nil
			}
		}
		if whole != nil && (worst == nil || whole.longest() > worst.longest()) {
			worst = whole
		}
	}
	switch {
	case worst != nil:
		return worst, nil
	case empty != nil:
		return nil, empty
	}
	return nil, fs.meansOnly()
}

// longest is the most that one sample may be, endless where that is not known.
func (o *Observation) longest() time.Duration {
	switch {
	case o.Dist != nil:
		return o.Dist.Max().Upper
	case len(o.Claims) > 0 && o.Claims[len(o.Claims)-1].Q == 1:
		return o.Claims[len(o.Claims)-1].Value
	}
	return dist.Inf
}

// meansOnly is the error of a JVM's page, whose pauses come as counts and sums
// and a maximum that decays within minutes: no longest stop.
func (fs *families) meansOnly() error {
	for _, name := range []string{"jvm_gc_pause_seconds", "jvm_gc_collection_seconds"} {
		if f := fs.byName[name]; fs.q.Measures == Pause && f != nil && !f.hasSamples() {
			return fault.NoDataf("%s: %s has a count and a sum, perhaps a maximum that decays: no longest stop", show(fs.in.name), name).
				Hintf("observe the log of %s", askSafepoints)
		}
	}
	return nil
}

// sumsLowerEdges says that a metric's _sum was made of lower bucket edges, as
// Go's runtime does: it is too small to mean anything.
func sumsLowerEdges(name string) bool { return strings.HasPrefix(name, "go_") }
