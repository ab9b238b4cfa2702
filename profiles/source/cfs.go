package source

import (
	"bytes"

	"github.com/lockplan/lockplan/calc/fault"
)

// cfs is a cgroup's cpu.stat. It counts throttled periods and time over all
// processors, which says nothing of the longest stop: no number comes of it.
var cfs = format{
	name:  "cpu-stat",
	about: "cpu.stat of a cgroup: refused, with the reason",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte("nr_throttled ")) },
	read: func(in *input, q *Query) (*Observation, error) {
		return nil, fault.NoDataf("%s counts throttled periods, and time over all processors: no longest stop", show(in.name)).
			Hintf("--pause with the periods to survive times the period, or observe stops with jHiccup or cyclictest in the container")
	},
}
