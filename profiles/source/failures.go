package source

import (
	"bytes"

	"github.com/lockplan/lockplan/calc/finding"
)

// failed tells of what was tried and failed: an error or a timeout is no fast
// sample of the work.
func (o *Observation) failed(n int, one, many string) {
	if n > 0 {
		o.add("LP202", finding.Warning, 0, count(n, one, many)+": how long the work would have taken is not known", "look at why they failed, and measure again")
	}
}

// saysTimeout tells the errors of a client that gave up.
func saysTimeout(text []byte) bool {
	lower := bytes.ToLower(text)
	return bytes.Contains(lower, []byte("timeout")) || bytes.Contains(lower, []byte("timed out")) || bytes.Contains(lower, []byte("deadline exceeded"))
}
