package sim

import (
	"math/bits"
	"time"
)

// tallyBits is how many cells a power of two has, as its logarithm: a value is
// known to 0.8 %.
const tallyBits = 7

// Tally counts durations in cells of at most 0.8 % of their value, and keeps
// the longest and the sum exactly.
type Tally struct {
	counts [(64 - tallyBits) << tallyBits]uint64
	n      uint64
	sum    float64 // seconds
	worst  time.Duration
}

// Add counts one duration, which must not be negative.
func (t *Tally) Add(d time.Duration) {
	t.counts[cellOf(uint64(d))]++
	t.n++
	t.sum += d.Seconds()
	t.worst = max(t.worst, d)
}

func cellOf(v uint64) int {
	if v < 1<<(tallyBits+1) {
		return int(v)
	}
	shift := bits.Len64(v) - 1 - tallyBits
	return shift<<tallyBits + int(v>>shift)
}

// upperEdge is the largest value in a cell.
func upperEdge(cell int) time.Duration {
	if cell < 1<<(tallyBits+1) {
		return time.Duration(cell)
	}
	shift := cell>>tallyBits - 1
	return time.Duration(uint64(cell-shift<<tallyBits+1)<<shift - 1)
}

// Merge adds what other counted.
func (t *Tally) Merge(other *Tally) {
	for i, n := range other.counts {
		t.counts[i] += n
	}
	t.n += other.n
	t.sum += other.sum
	t.worst = max(t.worst, other.worst)
}

// Count is how many durations were added.
func (t *Tally) Count() uint64 { return t.n }

// Worst is the longest, exactly.
func (t *Tally) Worst() time.Duration { return t.worst }

// Mean is in seconds; 0 for none.
func (t *Tally) Mean() float64 {
	if t.n == 0 {
		return 0
	}
	return t.sum / float64(t.n)
}

// Quantile is the upper edge of the cell that holds the nearest rank, never
// above the longest; 0 for none.
func (t *Tally) Quantile(q float64) time.Duration {
	rank := max(1, uint64(q*float64(t.n)+0.999999))
	var seen uint64
	for i, n := range t.counts {
		seen += n
		if seen >= rank {
			return min(upperEdge(i), t.worst)
		}
	}
	return t.worst
}
