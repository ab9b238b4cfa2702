package input

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/source"
)

// sameFile says that two paths are one file, by links or by spelling.
func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && first.Mode().IsRegular() && os.SameFile(first, second)
}

// tellSnapshots looks for two snapshots of one process, whose merging counts
// the earlier one twice. It is an error where the process is known to be the
// same, and a warning where series, or whole inputs, only look like that.
func (r *resolver) tellSnapshots(prefix string, o observation, inputs []*source.Observation) {
	told := ""
	fix := "--" + prefix + " with the later snapshot and --" + prefix + "-since with the earlier"
	for i, got := range inputs {
		for _, before := range inputs[:i] {
			series, sure, known := got.Again(before)
			switch {
			case series > 0 && sure:
				r.err = fault.Usagef("--%s: %s and %s are two snapshots of one process, which began at the same time: the earlier one would count twice", prefix, before.File, got.File).Hintf("%s", fix)
				return
			case told != "" || known && series == 0:
			case series > 0:
				told = fmt.Sprintf("%d series of one input has in another the same labels and as many samples or more in every bucket", series)
				if series > 1 {
					told = fmt.Sprintf("%d series of one input have in another the same labels and as many samples or more in every bucket", series)
				}
			case within(got.Dist, before.Dist) || within(before.Dist, got.Dist):
				told = "one input has at most the samples of another in every bucket"
			}
		}
	}
	if told != "" {
		r.got.Findings = append(r.got.Findings, finding.Finding{ID: rule.LP207.ID, Severity: finding.Warning, File: o.place.File, Line: o.place.Line,
			Message: told + ": if they are two snapshots of one process, the first is counted twice and the tail weighs too little",
			Fix:     fix})
	}
}

// within says that b has the samples of a, and maybe more, in every bucket.
// Single samples are no counters.
func within(a, b *dist.Dist) bool {
	counts := map[dist.Bucket]uint64{}
	for bucket := range b.All() {
		counts[dist.Bucket{Lo: bucket.Lo, Hi: bucket.Hi}] = bucket.Count
	}
	for bucket := range a.All() {
		if bucket.Lo == bucket.Hi || bucket.Count > counts[dist.Bucket{Lo: bucket.Lo, Hi: bucket.Hi}] {
			return false
		}
	}
	return true
}
