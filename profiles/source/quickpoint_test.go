package source

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// The fast spelling reads what the standard library reads.
func TestQuickPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.Int64Range(0, 99_999_999_999).Draw(t, "seconds")
		millis := rapid.IntRange(0, 999).Draw(t, "millis")
		count := rapid.Int64Range(0, 999_999_999_999_999).Draw(t, "count")
		text := fmt.Sprintf(`[%d.%03d,"%d"],[17`, seconds, millis, count)
		n, ms, got, ok := quickPoint([]byte(text))
		if !ok || text[n:] != ",[17" || ms != seconds*1000+int64(millis) || got != float64(count) {
			t.Fatalf("%s: %d bytes, %d ms, %v, %v", text, n, ms, got, ok)
		}
	})
	for _, text := range []string{"", "[", "[1764500000", `[1764500000,"`, `[1764500000,"9"`, `[1764500000.1234,"9"]`, `[1764500000,"9e3"]`, `[1764500000,"-9"]`, `[1764500000,9]`, `[17x4500000,"9"]`, `[,"9"]`, `[1764500000,"1234567890123456"]`} {
		if _, _, _, ok := quickPoint([]byte(text)); ok {
			t.Errorf("%q is read", text)
		}
	}
}

func TestEightDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{7}[0-9/:a ]`).Draw(t, "text")
		want, err := strconv.ParseInt(text, 10, 64)
		var w uint64
		for i := range 8 {
			w |= uint64(text[i]) << (8 * i)
		}
		if got, ok := eightDigits(w); ok != (err == nil) || ok && got != want {
			t.Fatalf("%q = %d, %v", text, got, ok)
		}
	})
}

// What was packed comes out again, whole counts and fractions, falls and runs.
func TestPackedTracks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var counts []float64
		sum := 0.0
		for range rapid.IntRange(1, 30).Draw(t, "runs") {
			delta := float64(rapid.OneOf(rapid.Int64Range(-20, 200), rapid.Int64Range(0, 1<<40)).Draw(t, "delta"))
			for range rapid.IntRange(1, 9).Draw(t, "length") {
				sum += delta
				counts = append(counts, sum)
			}
		}
		if rapid.IntRange(0, 4).Draw(t, "fraction") == 0 {
			counts = append(counts, 0.5)
		}
		if got := unpackFractions(nil, packFractions(nil, counts)); !slices.Equal(got, counts) {
			t.Fatalf("%v came out as %v", counts, got)
		}
		if !isWhole(counts[len(counts)-1]) {
			return
		}
		if got := unpackWhole[float64](nil, packWhole(nil, counts)); !slices.Equal(got, counts) {
			t.Fatalf("%v came out as %v", counts, got)
		}
	})
}
