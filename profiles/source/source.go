// Package source reads observations in the forms people have them: what was
// measured, how well each sample is known, and what the input cannot say.
// A gap in the input never becomes a number.
package source

import (
	"io"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/finding"
)

// Measures is what the samples of an input are.
type Measures string

// The kinds of the JSON contract.
const (
	Latency Measures = "latency" // hold and wait times
	Pause   Measures = "pause"   // stops of the holder's process
	RTT     Measures = "rtt"     // round trips to the lock service
	Clock   Measures = "clock"   // clock offsets
)

// Query says what is asked of an input. The zero value takes the only
// histogram there is, in the unit that its name says.
type Query struct {
	Measures   Measures // "" is Latency
	Metric     string   // a metric, series or timer by name, where an input has several
	NoName     bool     // the one whose name is empty, of labels and tags
	Match      []Matcher
	Unit       string // s, ms, us or ns; "" is what the input itself says
	SinceStart bool   // the user accepts counters that were never differenced
	Format     string // a name of Formats; "" looks at the content

	Column    string // of a CSV: its header, or its 1-based number
	Field     string // of NDJSON: the key, dotted where it is nested
	Operation string // of a trace: the span's name

	// Earlier is a snapshot of the same counters taken before; what is read is
	// then the difference, restarts taken into account (B6). EarlierName is
	// its file's name.
	Earlier     io.Reader
	EarlierName string

	collect *baseline // this input is the earlier snapshot
	kept    *baseline // the counters of one of several inputs, to tell two snapshots of one process
	base    *baseline // what the earlier snapshot held; nil without one

	warned *[]string // where a server's warnings go that stand in several answers; nil for findings

	used  map[string]bool // options that selected something, where several inputs share them
	whole bool            // --match was given, and this input has nothing that it selects
}

// isSnapshot says that an input is one of two whose difference is asked for.
func (q *Query) isSnapshot() bool { return q.collect != nil || q.base != nil }

// Claim is a percentile that somebody else computed: a claim, not an
// observation (B4).
type Claim struct {
	Q     float64
	Value time.Duration
}

// Observation is what one input says.
type Observation struct {
	File     string
	Format   string
	Metric   string
	Measures Measures
	Unit     string // s, ms, us or ns, as it stood in the input
	Series   int

	// Dist is nil when the input has claims only, or when it is broken: an
	// error finding then says where.
	Dist   *dist.Dist
	Claims []Claim // ascending by Q
	// Requests is how many samples the claims are of, 0 where that is not
	// said: it bounds what they can say as it does of single samples (B3).
	Requests uint64

	Window *time.Duration // time covered, where it is known
	Mean   *time.Duration // from the input's own sum; rounded up
	// Max bounds the longest sample where the input says more than Dist.Max.
	Max  *dist.Interval
	Lost uint64 // replies that never came

	Findings []finding.Finding
	Line     int // where the chosen series begins

	digit     time.Duration // how much longer each sample of Dist may be than it was printed
	confirmed bool          // something in the input speaks for the unit that was given, against the name
	counters  *baseline     // as they stood, where the input is one of several
}
