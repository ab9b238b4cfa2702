// Package sim plays locks: single holders in a loop, queues, and holders and
// waiters of one lease lock with everything that can happen to them. It
// draws random numbers from sources that are passed in, computes times in
// whole nanoseconds, and gives the same bytes on every machine.
package sim

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/portable"
)

// Source draws durations. dist.Inf is "never".
type Source interface {
	Draw(*rand.PCG) time.Duration
}

// Always is the same duration every time; it draws nothing.
type Always time.Duration

// Draw returns the duration.
func (a Always) Draw(*rand.PCG) time.Duration { return time.Duration(a) }

// Uniform is spread evenly over [0, Uniform).
type Uniform time.Duration

// Draw is one duration.
func (u Uniform) Draw(r *rand.PCG) time.Duration {
	hi, _ := bits.Mul64(r.Uint64(), uint64(u))
	return time.Duration(hi)
}

// Exponential has the given mean: the time between events that come at
// random.
type Exponential time.Duration

// Every is the time between events at a rate per second; never for 0.
func Every(rate float64) Source {
	if mean := float64(time.Second) / rate; mean < float64(math.MaxInt64)/64 {
		return Exponential(mean)
	}
	return Always(dist.Inf)
}

// Draw is one duration. A uniform number in binary is a coin that is tossed
// until heads, which gives whole multiples of ln 2, and the toss's remaining
// digits, which give the part below: all in whole numbers.
func (e Exponential) Draw(r *rand.PCG) time.Duration {
	u := r.Uint64()
	zeros := bits.LeadingZeros64(u)
	rest := u << (zeros + 1)
	at := rest >> (64 - expBits)
	step, _ := bits.Mul64(expTable[at+1]-expTable[at], rest<<expBits)
	x := uint64(zeros)*expTable[1<<expBits] + expTable[at] + step
	hi, lo := bits.Mul64(x, uint64(e))
	return time.Duration(hi<<(64-expPoint) | lo>>expPoint)
}

const (
	expBits  = 10
	expPoint = 57 // binary digits after the point; 64 ln 2 has 6 before it
)

// expTable holds -ln(1 - v/2) for v in steps of 2^-expBits; the chords between
// them are within 1.2e-7.
var expTable = func() (t [1<<expBits + 1]uint64) {
	for i := range t {
		v := float64(i) / float64(2<<expBits)
		t[i] = uint64(math.RoundToEven(-portable.Log(1-v) * (1 << expPoint)))
	}
	return t
}()

// Table draws from finitely many values by Walker's alias method.
type Table struct {
	cells []cell
}

type cell struct {
	below        uint64 // draw first when the fraction of the cell is below
	first, other time.Duration
}

// From draws from a law.
func From(s dist.Steps) Source {
	n := s.Len()
	if n == 1 {
		v, _ := s.Atom(0)
		return Always(v)
	}
	// Fill cells of mass 1/n: each short one is topped up from a long one.
	mass := make([]float64, n)
	total := 0.0
	for i := range n {
		_, mass[i] = s.Atom(i)
		total += mass[i]
	}
	t := &Table{cells: make([]cell, n)}
	var short, long []int
	for i := range n {
		v, _ := s.Atom(i)
		t.cells[i] = cell{below: math.MaxUint64, first: v, other: v}
		mass[i] = float64(mass[i] * (float64(n) / total))
		if mass[i] < 1 {
			short = append(short, i)
		} else {
			long = append(long, i)
		}
	}
	for len(short) > 0 && len(long) > 0 {
		i, j := short[len(short)-1], long[len(long)-1]
		short = short[:len(short)-1]
		t.cells[i].below = uint64(mass[i] * (1 << 63) * 2 * (1 - 1.0/(1<<53)))
		t.cells[i].other = t.cells[j].first
		mass[j] -= 1 - mass[i]
		if mass[j] < 1 {
			long = long[:len(long)-1]
			short = append(short, j)
		}
	}
	return t
}

// Draw is one value.
func (t *Table) Draw(r *rand.PCG) time.Duration {
	at, fraction := bits.Mul64(r.Uint64(), uint64(len(t.cells)))
	c := &t.cells[at]
	if fraction < c.below {
		return c.first
	}
	return c.other
}

// chance reports an event of the given probability, as a threshold that
// threshold makes.
func chance(r *rand.PCG, below uint64) bool { return r.Uint64() < below }

// threshold is a probability as chance wants it.
func threshold(p float64) uint64 {
	switch {
	case p <= 0:
		return 0
	case p >= 1:
		return math.MaxUint64
	}
	return uint64(p * (1 << 63) * 2)
}
