package dist

import (
	"slices"
	"time"
)

// side says to which edge of its grid cell a sum moves.
type side int

const (
	down side = iota // for the lower law
	up               // for the upper law
)

// exactPairs is up to how many pairs of values a sum is made without a grid.
const exactPairs = 1 << 10

// grid is where sums are rounded to: 0 and then edges whose neighbours differ
// by at most 1/parts of their value, or by a twentieth of that of the shortest
// lease asked about where they are small: what a part adds to a sum of about
// the lease need not be known any better. The small ones are multiples of a
// power of two, so that sums of few of them are edges too; the others are those
// of one ladder, whatever the leases, so that a lease has much the same figure
// beside others as alone.
type grid []time.Duration

// newGrid ends with the first edge beyond most.
func newGrid(least, most time.Duration, parts int64) grid {
	g := grid{0}
	unit := time.Duration(1)
	for unit*2 <= least/time.Duration(20*parts) {
		unit *= 2
	}
	for e := unit; e < unit*time.Duration(parts); e += unit {
		g = append(g, e)
		if e > most {
			return g
		}
	}
	for e := time.Duration(1); ; e += max(1, e/time.Duration(parts)) {
		if e > g[len(g)-1] {
			g = append(g, e)
			if e > most || e > Inf/2 {
				return g
			}
		}
	}
}

// round moves values to the grid where there are many of them.
func (g grid) round(s Steps, to side) Steps {
	if len(s.at) <= len(g) {
		return s
	}
	return g.add(stepsOf([]atom{{0, 1}}), s, to)
}

// sum is the law of the sum of two independent values. Sums are rounded to
// the grid only when there are many; what lies beyond its last edge is Inf on
// the upper side and that edge on the lower.
func (g grid) sum(a, b Steps, to side) Steps {
	if len(a.at)*len(b.at) <= exactPairs {
		return addExactly(a, b)
	}
	return g.add(g.round(a, to), g.round(b, to), to)
}

func (g grid) add(a, b Steps, to side) Steps {
	ends := g.ends(to)
	mass := make([]float64, len(g)+1) // the last one is beyond the grid
	cell := 0
	for i, x := range a.at {
		if x > g[len(g)-1] {
			mass[len(g)] += a.from[i]
			break
		}
		for ends[cell] < x { // sums ascend
			cell++
		}
		spread(mass, ends, cell, x, a.mass[i], b, 0)
	}
	return g.law(mass, to)
}

// twice is the law of the sum of two independent values of one law: every pair
// of unlike values comes in two orders and is looked at once.
func (g grid) twice(s Steps, to side) Steps {
	if len(s.at)*len(s.at) <= exactPairs {
		return addExactly(s, s)
	}
	s = g.round(s, to)
	ends := g.ends(to)
	mass := make([]float64, len(g)+1) // the last one is beyond the grid
	cell := 0
	for i, x := range s.at {
		if x > g[len(g)-1]-x { // and so is every pair of later values
			mass[len(g)] += float64(s.from[i] * s.from[i])
			break
		}
		for ends[cell] < x+x {
			cell++
		}
		mass[cell] += float64(s.mass[i] * s.mass[i])
		spread(mass, ends, cell, x, 2*s.mass[i], s, i+1)
	}
	return g.law(mass, to)
}

// ends are the last values of the cells: an edge takes what lies below it on
// the upper side and what lies above it on the lower.
func (g grid) ends(to side) []time.Duration {
	if to == up {
		return g
	}
	last := len(g) - 1
	ends := make([]time.Duration, len(g))
	for i := range last {
		ends[i] = g[i+1] - 1
	}
	ends[last] = g[last]
	return ends
}

// spread adds p times the values of s from the first-th on, each moved by x, to
// the cells that they fall into, none of them before the given one. What falls
// into one cell is summed before it is stored.
func spread(mass []float64, ends []time.Duration, cell int, x time.Duration, p float64, s Steps, first int) {
	end, sum := ends[cell]-x, 0.0
	for i := first; i < len(s.at); i++ {
		y := s.at[i]
		if y > end {
			mass[cell] += float64(p * sum)
			if y > ends[len(ends)-1]-x {
				mass[len(ends)] += float64(p * s.from[i])
				return
			}
			for ends[cell]-x < y {
				cell++
			}
			end, sum = ends[cell]-x, 0
		}
		sum += s.mass[i]
	}
	mass[cell] += float64(p * sum)
}

// law is what fell into the cells of the grid, the last of mass being beyond
// it.
func (g grid) law(mass []float64, to side) Steps {
	s := Steps{at: slices.Clone(g), mass: mass[:len(g)]}
	if to == up {
		s.at = append(s.at, Inf)
		s.mass = mass
	} else {
		mass[len(g)-1] += mass[len(g)]
	}
	return s.compact().summed()
}

// compact leaves the values without mass out.
func (s Steps) compact() Steps {
	kept := 0
	for i, m := range s.mass {
		if m != 0 {
			s.at[kept], s.mass[kept] = s.at[i], m
			kept++
		}
	}
	return Steps{at: s.at[:kept], mass: s.mass[:kept]}
}

func addExactly(a, b Steps) Steps {
	switch {
	case len(a.at) == 1:
		return b.shift(a.at[0])
	case len(b.at) == 1:
		return a.shift(b.at[0])
	}
	atoms := make([]atom, 0, len(a.at)*len(b.at))
	for i, x := range a.at {
		for j, y := range b.at {
			atoms = append(atoms, atom{saturating(x, y), float64(a.mass[i] * b.mass[j])})
		}
	}
	return stepsOf(atoms)
}
