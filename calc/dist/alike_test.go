package dist

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A lease has the same figure whether it is asked about alone or beside
// others: the grids are parts of one ladder. What is small beside the shortest
// lease is rounded less then, which is all that is left.
func TestFiguresAreAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, mean float64) Band {
			shape := rapid.Float64Range(0.2, 1).Draw(t, name)
			n := rapid.IntRange(200, 1500).Draw(t, name+" values")
			return equally(valuesOf(n, func(i int) float64 {
				u := (float64(i) + 0.5) / float64(n)
				return mean * math.Pow(-math.Log(u), 1/(2*shape)) // Weibull
			}))
		}
		parts := Parts{Hold: draw("hold", 300), Network: draw("network", 20),
			Pauses: Pauses{Rate: rapid.Float64Range(0.1, 1.3).Draw(t, "rate"), Length: draw("pause", 100)}}
		T := time.Duration(rapid.IntRange(500, 6000).Draw(t, "T")) * ms
		alone := NewFixedRisk(parts, T, T, 0.95).At(T)
		beside := NewFixedRisk(parts, T/time.Duration(rapid.IntRange(1, 30).Draw(t, "shorter")), T*time.Duration(rapid.IntRange(1, 10).Draw(t, "longer")), 0.95).At(T)
		if alone.Upper > 1e-9 && (beside.Upper > alone.Upper*1.25 || alone.Upper > beside.Upper*1.25) {
			t.Fatalf("T %v: %g alone, %g beside others", T, alone.Upper, beside.Upper)
		}
	})
}
