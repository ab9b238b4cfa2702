package chart

import (
	"math"
	"strconv"
)

type tick struct {
	value float64
	text  string
}

// ticks are about n round values of a scale, or decades and what lies between
// them when there are few.
func ticks(s scale, n int) []tick {
	if s.axis.Time && s.axis.Log {
		return timeTicks(s, n)
	}
	format := s.axis.Format
	if format == nil {
		format = func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	}
	var out []tick
	add := func(v float64) {
		if v >= s.min*(1-1e-9) && v <= s.max*(1+1e-9) {
			out = append(out, tick{v, format(v)})
		}
	}
	if !s.axis.Log {
		step := nice((s.max - s.min) / float64(n))
		for i := math.Ceil(s.min / step); i*step <= s.max; i++ {
			add(i * step)
		}
		return out
	}
	first, last := int(math.Floor(math.Log10(s.min))), int(math.Ceil(math.Log10(s.max)))
	between := []float64{1}
	switch decades := math.Log10(s.max / s.min); {
	case decades < 1.2:
		between = []float64{1, 1.5, 2, 3, 4, 5, 7}
	case decades < 2.5:
		between = []float64{1, 2, 5}
	}
	every := max(1, int(math.Ceil(float64(last-first)/float64(2*n))))
	for d := first; d <= last; d++ {
		if d%every != 0 {
			continue
		}
		for _, b := range between {
			add(b * math.Pow10(d))
		}
	}
	return out
}

// nice is the round number at or above v: 1, 2 or 5 times a power of ten.
func nice(v float64) float64 {
	p := math.Pow10(int(math.Floor(math.Log10(v))))
	for _, f := range []float64{1, 2, 5} {
		if f*p >= v*(1-1e-9) {
			return f * p
		}
	}
	return 10 * p
}
