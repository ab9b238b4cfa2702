package dist

import (
	"math"
	"slices"
	"sort"
	"time"
)

// Steps is a law with finitely many values, possibly Inf among them: what a
// risk is computed on. Its total mass is 1 but for rounding.
type Steps struct {
	at   []time.Duration // strictly ascending
	mass []float64       // P(X = at[i])
	from []float64       // P(X >= at[i]), summed from the top so that small tails keep their digits
}

// atom is one value and its probability.
type atom struct {
	at   time.Duration
	mass float64
}

func stepsOf(atoms []atom) Steps {
	slices.SortFunc(atoms, func(a, b atom) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	var s Steps
	for _, a := range atoms {
		if a.mass == 0 {
			continue
		}
		if last := len(s.at) - 1; last >= 0 && s.at[last] == a.at {
			s.mass[last] += a.mass
			continue
		}
		s.at = append(s.at, a.at)
		s.mass = append(s.mass, a.mass)
	}
	return s.summed()
}

func (s Steps) summed() Steps {
	s.from = make([]float64, len(s.at))
	total := 0.0
	for i := len(s.at) - 1; i >= 0; i-- {
		total += s.mass[i]
		s.from[i] = total
	}
	return s
}

// Exceeds is P(X > t).
func (s Steps) Exceeds(t time.Duration) float64 {
	at, found := slices.BinarySearch(s.at, t)
	if found {
		at++
	}
	if at == len(s.at) {
		return 0
	}
	return s.from[at]
}

// after is P(X > at[i]).
func (s Steps) after(i int) float64 {
	if i+1 == len(s.at) {
		return 0
	}
	return s.from[i+1]
}

// Len is the number of distinct values.
func (s Steps) Len() int { return len(s.at) }

// Atom is the i-th smallest value and its probability.
func (s Steps) Atom(i int) (time.Duration, float64) { return s.at[i], s.mass[i] }

// shift adds a constant to every value.
func (s Steps) shift(d time.Duration) Steps {
	if d == 0 {
		return s
	}
	moved := Steps{at: slices.Clone(s.at), mass: s.mass, from: s.from}
	for i, v := range moved.at {
		moved.at[i] = saturating(v, d)
	}
	return moved
}

// capped puts every longer value at limit.
func (s Steps) capped(limit time.Duration) Steps {
	cut := sort.Search(len(s.at), func(i int) bool { return s.at[i] > limit })
	if cut == len(s.at) {
		return s
	}
	atoms := make([]atom, 0, cut+1)
	for i := range cut {
		atoms = append(atoms, atom{s.at[i], s.mass[i]})
	}
	return stepsOf(append(atoms, atom{limit, s.from[cut]}))
}

// Mean is the first moment in seconds; +Inf when Inf has any mass.
func (s Steps) Mean() float64 { return s.moment(func(x float64) float64 { return x }) }

// Square is the second moment in seconds squared; +Inf when Inf has any mass.
func (s Steps) Square() float64 { return s.moment(func(x float64) float64 { return x * x }) }

func (s Steps) moment(f func(float64) float64) float64 {
	sum := 0.0
	for i, v := range s.at {
		if v == Inf {
			return math.Inf(1)
		}
		sum += float64(s.mass[i] * f(v.Seconds()))
	}
	return sum
}

// saturating is a + b, Inf where that is out of range.
func saturating(a, b time.Duration) time.Duration {
	if a > Inf-b {
		return Inf
	}
	return a + b
}
