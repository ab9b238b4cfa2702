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
	// octaves are made when a value falls into them: most tallies need few.
	octaves [64 - tallyBits]*[1 << tallyBits]uint64
	n       uint64
	sum     float64 // seconds
	worst   time.Duration
}

// Add counts one duration, which must not be negative.
func (t *Tally) Add(d time.Duration) {
	*t.cell(cellOf(uint64(d)))++
	t.n++
	t.sum += d.Seconds()
	t.worst = max(t.worst, d)
}

func (t *Tally) cell(at int) *uint64 {
	o := &t.octaves[at>>tallyBits]
	if *o == nil {
		*o = new([1 << tallyBits]uint64)
	}
	return &(*o)[at&(1<<tallyBits-1)]
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
	for i, o := range other.octaves {
		if o == nil {
			continue
		}
		for j, n := range o {
			if n > 0 {
				*t.cell(i<<tallyBits + j) += n
			}
		}
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
	rank := max(1, uint64(float64(q*float64(t.n))+0.999999))
	var seen uint64
	for i, o := range t.octaves {
		if o == nil {
			continue
		}
		for j, n := range o {
			if seen += n; seen >= rank {
				return min(upperEdge(i<<tallyBits+j), t.worst)
			}
		}
	}
	return t.worst
}
