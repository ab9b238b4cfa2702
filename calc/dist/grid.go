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
// the lease need not be known any better.
type grid []time.Duration

// newGrid ends with the first edge beyond most.
func newGrid(least, most time.Duration, parts int64) grid {
	g := grid{0}
	floor := max(1, least/time.Duration(20*parts))
	for e := floor; ; e += max(floor, e/time.Duration(parts)) {
		g = append(g, e)
		if e > most || e > Inf/2 {
			return g
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
	last := g[len(g)-1]
	mass := make([]float64, len(g)+1) // the last one is beyond the grid
	start := 0
	for i, x := range a.at {
		if x > last {
			mass[len(g)] += a.from[i]
			break
		}
		p := a.mass[i]
		// The first edge at or above the sum is found by walking: sums ascend.
		for g[start] < x {
			start++
		}
		k := start
		for j, y := range b.at {
			if y > last-x {
				mass[len(g)] += float64(p * b.from[j])
				break
			}
			s := x + y
			for g[k] < s {
				k++
			}
			cell := k
			if to == down && g[k] > s {
				cell--
			}
			mass[cell] += float64(p * b.mass[j])
		}
	}
	sum := Steps{at: slices.Clone(g), mass: mass[:len(g)]}
	if to == up {
		sum.at = append(sum.at, Inf)
		sum.mass = mass
	} else {
		mass[len(g)-1] += mass[len(g)]
	}
	return sum.compact().summed()
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
