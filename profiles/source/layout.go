package source

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

// layout is a list of bucket bounds, and what was added up under it.
type layout struct {
	texts  []string // in the order in which they were written
	bounds []float64
	order  []int     // of texts, ascending by bound
	open   int       // index of +Inf in texts, -1 without one
	wrong  string    // why no histogram can have these bounds
	sums   []float64 // of cumulative counts, ascending by bound
	series int
}

func newLayout(texts []string) *layout {
	l := &layout{texts: texts, bounds: make([]float64, len(texts)), order: make([]int, len(texts)), open: -1, sums: make([]float64, len(texts))}
	for i, text := range texts {
		bound, ok := number([]byte(text))
		if !ok || math.IsNaN(bound) || math.IsInf(bound, -1) {
			l.wrong = "has a bucket bound of " + show(text)
			return l
		}
		if math.IsInf(bound, 1) {
			l.open = i
		}
		l.bounds[i], l.order[i] = bound, i
	}
	sort.SliceStable(l.order, func(a, b int) bool { return l.bounds[l.order[a]] < l.bounds[l.order[b]] })
	for i := 1; i < len(l.order); i++ {
		if l.bounds[l.order[i]] == l.bounds[l.order[i-1]] {
			l.wrong = "has the bucket bound " + show(texts[l.order[i]]) + " twice"
			return l
		}
	}
	if l.open < 0 {
		l.wrong = "has no +Inf bucket"
	}
	return l
}

// layoutKey tells layouts apart; a bound never holds a line break.
func layoutKey(texts []string) string { return strings.Join(texts, "\n") }

// edges are the bounds, in whatever order and spelling they were written.
func (l *layout) edges() string {
	var text []byte
	for _, at := range l.order {
		text = append(strconv.AppendFloat(text, l.bounds[at], 'g', -1, 64), ' ')
	}
	return string(text)
}
