package chart

import (
	"math"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
)

// timeUnits are where round times begin, and which multiples of them are
// round up to the next: few, some, many.
var timeUnits = []struct {
	seconds float64
	steps   [3][]float64
}{
	{1, [3][]float64{{1, 10}, {1, 2, 5, 10, 30}, {1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 45}}},
	{60, [3][]float64{{1, 10}, {1, 2, 5, 10, 30}, {1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 45}}},
	{3600, [3][]float64{{1, 6}, {1, 2, 6, 12}, {1, 1.5, 2, 3, 4, 6, 8, 12, 18}}},
}

var decadeSteps = [3][]float64{{1}, {1, 2, 5}, {1, 1.5, 2, 3, 4, 5, 7}}

// roundTimes are the round times in a range of seconds, ascending.
func roundTimes(from, to float64, detail int) []float64 {
	var out []float64
	add := func(v float64) {
		if v >= from*(1-1e-9) && v <= to*(1+1e-9) {
			out = append(out, v)
		}
	}
	for d := -9; d < 0; d++ {
		for _, step := range decadeSteps[detail] {
			add(step * math.Pow10(d))
		}
	}
	for _, u := range timeUnits {
		for _, step := range u.steps[detail] {
			add(step * u.seconds)
		}
	}
	for d := range 6 {
		for _, step := range decadeSteps[detail] {
			add(step * math.Pow10(d) * 24 * 3600)
		}
	}
	return out
}

// timeTicks are at most 2n round times with room for their texts; evenly
// spaced ones where a scale is too short for two.
func timeTicks(s scale, n int) []tick {
	var values []float64
	for detail := 2; detail >= 0; detail-- {
		if values = roundTimes(s.min, s.max, detail); len(values) <= 2*n {
			break
		}
	}
	if len(values) < 2 {
		values = nil
		step := nice((s.max - s.min) / float64(n))
		for i := math.Ceil(s.min / step); i*step <= s.max; i++ {
			values = append(values, i*step)
		}
	}
	for every := 1; ; every++ {
		var out []tick
		for i := 0; i < len(values); i += every {
			out = append(out, tick{values[i], dur.Format(time.Duration(math.Round(values[i] * 1e9)))})
		}
		if len(out) <= 2*n && apart(s, out) || every >= len(values) {
			return out
		}
	}
}

// apart reports whether the texts of ticks do not touch: side by side on a
// scale that runs to the right, one above the other on one that runs up.
func apart(s scale, ticks []tick) bool {
	for i := 1; i < len(ticks); i++ {
		room := math.Abs(s.at(ticks[i].value) - s.at(ticks[i-1].value))
		need := 14.0
		if s.to > s.from {
			need = (textWidth(ticks[i].text, small)+textWidth(ticks[i-1].text, small))/2 + 8
		}
		if room < need {
			return false
		}
	}
	return true
}
