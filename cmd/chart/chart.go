// Package chart draws line charts on logarithmic axes as SVG and PNG. It is
// small because a plotting library with its fonts would double the program:
// docs/dependencies.md has the figures.
package chart

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
)

// Chart is panels that stand on each other and share their X axis.
type Chart struct {
	Title  string
	Note   string // a line below the title
	X      Axis
	Panels []Panel
	// Region is a range of X that is shaded in all panels; no range when From
	// is not below To.
	Region Region
	// Marks are values of X with a name, drawn as vertical lines.
	Marks []Mark
}

// Axis is one direction. Its range is that of the data, in whole decades when
// it is logarithmic.
type Axis struct {
	Label string
	Log   bool
	// Time marks seconds, whose ticks are round times such as 1m or 2d.
	Time bool
	// Format is how a tick's value is written.
	Format func(float64) string
	// Least and Most, when not 0, are the ends; data beyond them is cut.
	Least, Most float64
}

// Panel is one Y axis with what is drawn on it.
type Panel struct {
	Y      Axis
	Share  float64 // of the height, beside the other panels
	Series []Series
	Levels []Mark // values of Y with a name, drawn as horizontal lines
}

// Series is a line, and a band around it when Low and High are given. Values
// that are not finite, or not above 0 on a logarithmic axis, are gaps.
type Series struct {
	Name      string
	X, Y      []float64
	Low, High []float64
	Color     Color
	Dashed    bool
	Steps     bool // the line keeps its level until the next X
	Dots      bool
}

// Mark is a value with a name.
type Mark struct {
	At     float64
	Name   string
	Strong bool
}

// Region is a range of X.
type Region struct {
	From, To float64
	Name     string
	Bad      bool // what cannot be, rather than what can
}

// Color is one of the chart's colours: unlike in lightness too, so that they
// are told apart in grey.
type Color int

// The colours of series, from dark to light.
const (
	Blue Color = iota
	Orange
)

var (
	ink    = color.NRGBA{0x22, 0x22, 0x22, 0xff}
	faint  = color.NRGBA{0x66, 0x66, 0x66, 0xff}
	grid   = color.NRGBA{0xdd, 0xdd, 0xdd, 0xff}
	shade  = color.NRGBA{0xe9, 0xf2, 0xe6, 0xff}
	barred = color.NRGBA{0xf2, 0xdc, 0xd6, 0xff}
	white  = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	lines  = []color.NRGBA{{0x0b, 0x3c, 0x7d, 0xff}, {0xd9, 0x5f, 0x02, 0xff}}
	fields = []color.NRGBA{{0x8c, 0xae, 0xdb, 0x99}, {0xf8, 0xc0, 0x8c, 0x99}}
)

// The size of a chart in its own units, which are the pixels of an SVG.
const (
	Width  = 800
	Height = 560

	left, right, top, bottom = 74, 24, 52, 52
	gap                      = 44 // between panels: the next one's heading
	small, normal, large     = 11, 12, 15
)

// canvas is what a chart is drawn on. Lengths are in the chart's units.
type canvas interface {
	fill(points []point, c color.NRGBA)
	line(points []point, c color.NRGBA, width float64, dashed bool)
	// text is drawn with its baseline at y; align is -1 when x is its left
	// end, 0 its middle, 1 its right end.
	text(x, y float64, text string, size float64, align int, c color.NRGBA)
	finish(io.Writer) error
}

type point struct{ x, y float64 }

// Write draws the chart in the format that a file name ends with.
func (c Chart) Write(w io.Writer, name string) error {
	switch {
	case strings.HasSuffix(name, ".svg"):
		return c.draw(newSVG()).finish(w)
	case strings.HasSuffix(name, ".png"):
		return c.draw(newPNG()).finish(w)
	}
	return fmt.Errorf("%q ends neither in .svg nor in .png", name)
}

// scale maps values of an axis to places.
type scale struct {
	axis     Axis
	min, max float64
	from, to float64
}

func (s scale) at(v float64) float64 {
	min, max := s.min, s.max
	if s.axis.Log {
		v, min, max = math.Log10(v), math.Log10(min), math.Log10(max)
	}
	return s.from + (v-min)/(max-min)*(s.to-s.from)
}

func (s scale) holds(v float64) bool { return usable(v, s.axis.Log) && v >= s.min && v <= s.max }

func usable(v float64, log bool) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!log || v > 0)
}

// newScale finds the range of the values that can be drawn.
func newScale(axis Axis, from, to float64, values ...[]float64) scale {
	s := scale{axis: axis, min: math.Inf(1), max: math.Inf(-1), from: from, to: to}
	for _, vs := range values {
		for _, v := range vs {
			if usable(v, axis.Log) {
				s.min, s.max = min(s.min, v), max(s.max, v)
			}
		}
	}
	if axis.Least != 0 {
		s.min = axis.Least
	}
	if axis.Most != 0 {
		s.max = axis.Most
	}
	if !(s.min <= s.max) {
		s.min, s.max = 1, 10
	}
	if axis.Log {
		if s.max/s.min < 1.5 {
			s.min, s.max = s.min/2, s.max*2
		}
		return s
	}
	if axis.Least == 0 {
		s.min = min(s.min, 0)
	}
	if axis.Most == 0 {
		s.max += (s.max - s.min) * 0.08
	}
	if s.max == s.min {
		s.max++
	}
	return s
}

func (c Chart) draw(on canvas) canvas {
	on.fill(box(0, 0, Width, Height), white)
	on.text(left, 20, c.Title, large, -1, ink)
	on.text(left, 36, c.Note, small, -1, faint)
	var xs [][]float64
	shares := 0.0
	for _, p := range c.Panels {
		shares += p.Share
		for _, s := range p.Series {
			xs = append(xs, s.X)
		}
	}
	x := newScale(c.X, left, Width-right, xs...)
	rows := c.markRows(x)
	// The names of the marks stand between the first heading and its panel.
	y := float64(top + 10 + 14*len(rows))
	room := Height - bottom - y - gap*float64(len(c.Panels)-1)
	for i, p := range c.Panels {
		height := room * p.Share / shares
		heading := y - 8
		if i == 0 {
			heading = top
		}
		c.panel(on, p, x, rows, y, y+height, heading, i == 0, i == len(c.Panels)-1)
		y += height + gap
	}
	return on
}

// panel draws one panel between two heights, with its heading; the first one
// carries the names of the marks, the last one the X axis.
func (c Chart) panel(on canvas, p Panel, x scale, rows [][]placed, top, bottom, heading float64, named, last bool) {
	var ys [][]float64
	for _, s := range p.Series {
		ys = append(ys, s.Y, s.Low, s.High)
	}
	for _, l := range p.Levels {
		ys = append(ys, []float64{l.At})
	}
	y := newScale(p.Y, bottom, top, ys...)
	if c.Region.From < c.Region.To {
		from, to := max(x.min, c.Region.From), min(x.max, c.Region.To)
		if from < to {
			on.fill(box(x.at(from), top, x.at(to), bottom), c.Region.color())
		}
	}
	for _, t := range ticks(y, 4) {
		at := y.at(t.value)
		on.line([]point{{left, at}, {Width - right, at}}, grid, 1, false)
		on.text(left-6, at+4, t.text, small, 1, faint)
	}
	for _, t := range ticks(x, 6) {
		at := x.at(t.value)
		on.line([]point{{at, top}, {at, bottom}}, grid, 1, false)
		if last {
			on.text(min(at, Width-3-textWidth(t.text, small)/2), bottom+15, t.text, small, 0, faint)
		}
	}
	for _, s := range p.Series {
		s.band(on, x, y)
	}
	for _, l := range p.Levels {
		if y.holds(l.At) {
			on.line([]point{{left, y.at(l.At)}, {Width - right, y.at(l.At)}}, ink, 1.2, true)
		}
	}
	for _, s := range p.Series {
		s.curve(on, x, y)
	}
	on.line([]point{{left, top}, {left, bottom}, {Width - right, bottom}}, ink, 1, false)
	on.text(left, heading, p.Y.Label, normal, -1, ink)
	legend(on, p.Series, heading)
	if last {
		on.text((left+Width-right)/2, bottom+38, c.X.Label, normal, 0, ink)
	}
	c.marks(on, x, rows, top, bottom, named)
	for _, l := range p.Levels {
		if y.holds(l.At) {
			at := y.at(l.At) - 4
			if at-10 < top { // above it is the heading
				at = y.at(l.At) + 12
			}
			on.fill(box(left+4, at-10, left+8+textWidth(l.Name, small), at+2), white)
			on.text(left+6, at, l.Name, small, -1, ink)
		}
	}
	if named {
		for _, l := range p.Levels {
			if y.holds(l.At) && bottom-y.at(l.At) < 36 {
				bottom = y.at(l.At) - 18 // above the level and its name
			}
		}
		c.nameRegion(on, x, rows, bottom)
	}
}

func (r Region) color() color.NRGBA {
	if r.Bad {
		return barred
	}
	return shade
}

// nameRegion writes into the shaded range what it is, where there is room:
// between the lines of two marks if it can, for a word with a line through it
// reads as taken back.
func (c Chart) nameRegion(on canvas, x scale, rows [][]placed, bottom float64) {
	if c.Region.From >= c.Region.To {
		return
	}
	from, to := x.at(max(x.min, c.Region.From)), x.at(min(x.max, c.Region.To))
	wide := textWidth(c.Region.Name, small)
	if wide+8 > to-from {
		return
	}
	edges := []float64{from, to}
	for _, row := range rows {
		for _, m := range row {
			if m.x > from && m.x < to {
				edges = append(edges, m.x)
			}
		}
	}
	slices.Sort(edges)
	middle, room := (from+to)/2, wide+8
	for i := 1; i < len(edges); i++ {
		if free := edges[i] - edges[i-1]; free > room {
			middle, room = (edges[i]+edges[i-1])/2, free
		}
	}
	on.fill(box(middle-wide/2-2, bottom-16, middle+wide/2+2, bottom-3), c.Region.color())
	on.text(middle, bottom-6, c.Region.Name, small, 0, faint)
}

// legend names the series from the right.
func legend(on canvas, series []Series, y float64) {
	at := float64(Width - right)
	for _, s := range slices.Backward(series) {
		if s.Name == "" {
			continue
		}
		on.text(at, y, s.Name, small, 1, ink)
		at -= textWidth(s.Name, small) + 6
		if s.Low != nil {
			on.fill(box(at-24, y-9, at, y+1), fields[s.Color])
		}
		on.line([]point{{at - 24, y - 4}, {at, y - 4}}, lines[s.Color], 2, s.Dashed)
		at -= 40
	}
}

// band fills what lies between Low and High.
func (s Series) band(on canvas, x, y scale) {
	if s.Low == nil {
		return
	}
	var upper, lower []point
	flush := func() {
		if len(upper) > 1 {
			slices.Reverse(lower)
			on.fill(append(upper, lower...), fields[s.Color])
		}
		upper, lower = nil, nil
	}
	for i, v := range s.X {
		lo, hi := s.Low[i], s.High[i]
		if !x.holds(v) || !usable(hi, y.axis.Log) || hi < y.min {
			flush()
			continue
		}
		if !usable(lo, y.axis.Log) {
			lo = y.min
		}
		lo, hi = min(max(lo, y.min), y.max), min(max(hi, y.min), y.max)
		if s.Steps && len(upper) > 0 {
			upper = append(upper, point{x.at(v), upper[len(upper)-1].y})
			lower = append(lower, point{x.at(v), lower[len(lower)-1].y})
		}
		upper = append(upper, point{x.at(v), y.at(hi)})
		lower = append(lower, point{x.at(v), y.at(lo)})
	}
	flush()
}

// curve draws the line itself.
func (s Series) curve(on canvas, x, y scale) {
	var run []point
	flush := func() {
		if len(run) > 1 {
			on.line(run, lines[s.Color], 2, s.Dashed)
		}
		run = nil
	}
	for i, v := range s.X {
		if !x.holds(v) || !y.holds(s.Y[i]) {
			flush()
			continue
		}
		p := point{x.at(v), y.at(s.Y[i])}
		if s.Steps && len(run) > 0 {
			run = append(run, point{p.x, run[len(run)-1].y})
		}
		run = append(run, p)
		if s.Dots {
			on.fill(box(p.x-2.5, p.y-2.5, p.x+2.5, p.y+2.5), lines[s.Color])
		}
	}
	flush()
}

// placed is a mark whose name has a place in a row above the panels.
type placed struct {
	Mark
	from, x float64
}

// markRows puts the names of marks into as many rows as keep them apart.
func (c Chart) markRows(x scale) [][]placed {
	marks := slices.Clone(c.Marks)
	slices.SortStableFunc(marks, func(a, b Mark) int {
		switch {
		case a.At < b.At:
			return -1
		case a.At > b.At:
			return 1
		}
		return 0
	})
	var rows [][]placed
next:
	for _, m := range marks {
		if !x.holds(m.At) {
			continue
		}
		wide := textWidth(m.Name, small)
		at := x.at(m.At)
		from := min(max(at-wide/2, left), Width-right-wide)
		for i, row := range rows {
			if end := row[len(row)-1]; end.from+textWidth(end.Name, small)+10 < from {
				rows[i] = append(row, placed{m, from, at})
				continue next
			}
		}
		rows = append(rows, []placed{{m, from, at}})
	}
	return rows
}

// marks draws the lines through one panel, and the names above the first.
func (c Chart) marks(on canvas, x scale, rows [][]placed, top, bottom float64, named bool) {
	height := func(row int) float64 { return top - 14*float64(len(rows)-1-row) - 5 }
	for i, row := range rows {
		for _, m := range row {
			width, dashed := 1.0, true
			if m.Strong {
				width, dashed = 1.6, false
			}
			from := top
			if named {
				from = height(i) + 3
			}
			on.line([]point{{m.x, from}, {m.x, bottom}}, ink, width, dashed)
		}
	}
	if !named {
		return
	}
	for i, row := range rows {
		for _, m := range row {
			wide := textWidth(m.Name, small)
			on.fill(box(m.from-2, height(i)-10, m.from+wide+2, height(i)+2), white)
			on.text(m.from, height(i), m.Name, small, -1, ink)
		}
	}
}

func box(x1, y1, x2, y2 float64) []point {
	return []point{{x1, y1}, {x2, y1}, {x2, y2}, {x1, y2}}
}
