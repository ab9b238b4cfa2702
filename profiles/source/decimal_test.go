package source

import (
	"math"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Against exact fractions: down and up are the whole nanoseconds around it.
func TestScaledIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`\+?[0-9]{1,24}(\.[0-9]{0,24})?(e[+-]?[0-9]{1,2})?`).Draw(t, "text")
		unit := rapid.SampledFrom([]time.Duration{time.Second, time.Millisecond, time.Microsecond, 1}).Draw(t, "unit")
		down, up, ok := scaled([]byte(text), unit)
		exact, isNumber := new(big.Rat).SetString(text)
		if !ok || !isNumber {
			t.Fatalf("%q: %v, %v", text, ok, isNumber)
		}
		exact.Mul(exact, new(big.Rat).SetInt64(int64(unit)))
		longest := new(big.Rat).SetInt64(math.MaxInt64)
		if exact.Cmp(longest) >= 0 {
			if up != math.MaxInt64 {
				t.Fatalf("%q %v: up to %d", text, unit, up)
			}
			return
		}
		lo, hi := new(big.Rat).SetInt64(int64(down)), new(big.Rat).SetInt64(int64(up))
		if lo.Cmp(exact) > 0 || hi.Cmp(exact) < 0 {
			t.Fatalf("%q %v: [%d, %d] does not hold %v", text, unit, down, up, exact.FloatString(3))
		}
		if up-down > 1 || exact.IsInt() && up != down && len(text) < 18 {
			t.Fatalf("%q %v: [%d, %d] is wide", text, unit, down, up)
		}
	})
	for _, text := range []string{"", "+", ".", "e5", "1e", "1e+", "-1", "NaN", "Inf", "1_0", "0x10", "1s", "1 ", " 1", "1e99999999", "١"} {
		if _, _, ok := scaled([]byte(text), time.Second); ok {
			t.Errorf("%q is read", text)
		}
	}
}
