package source

import (
	"maps"
	"slices"

	"github.com/lockplan/lockplan/calc/finding"
)

// closedLoop tells that a load generator waited for each answer before it
// sent on: while the system stalled, the samples that would have been slow
// were not taken.
func (o *Observation) closedLoop() {
	o.add("LP202", finding.Info, 0, "a closed-loop load generator sends nothing while it waits: slow samples are too few", "measure in production, or with an open loop")
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
