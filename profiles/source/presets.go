package source

import (
	"strings"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
)

// presets are the metrics that are read when none is named, by what is asked
// for: the first group of which any is there, its members added up. They hold
// different events; what another name for the same events would be stands in
// a group of its own.
var presets = map[Measures][][]string{
	Pause: {
		{"go_sched_pauses_total_gc_seconds", "go_sched_pauses_total_other_seconds"},
		{"go_gc_pauses_seconds"}, // the old name of the first
		{"nodejs_gc_duration_seconds"},
		{eventLoop},
		{"go_gc_duration_seconds"}, // a summary of the last cycles only
	},
	RTT: {
		{"etcd_network_peer_round_trip_time_seconds"},
	},
}

// preset reads the group that fits what is asked for; nil when there is none.
func (fs *families) preset() (*Observation, error) {
	for _, group := range presets[fs.q.Measures] {
		var whole *Observation
		var empty error
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
		switch {
		case whole != nil:
			return whole, nil
		case empty != nil:
			return nil, empty
		}
	}
	return nil, fs.meansOnly()
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
