package rule

import (
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

func TestLP101(t *testing.T) {
	in := calc.Inputs{Hold: is("800ms"), Pause: is("1.5s"), Margin: is("700ms")}
	says(t, LP101, running(t, in, fixed("2999999999ns"), Setup{}), "error")
	says(t, LP101, running(t, in, fixed("3s"), Setup{}), "") // F1: T_min itself is enough
	says(t, LP101, running(t, in, renewed("2s", "500ms", ""), Setup{}), "")
	contains(t, first(t, LP101, running(t, in, fixed("2s"), Setup{})).Message, "800ms", "1.5s", "700ms", "3s")

	equal := bare()
	equal.Hold = is("10s")
	says(t, LP101, running(t, equal, fixed("10s"), Setup{}), "error") // T = h always ends first
	says(t, LP101, running(t, equal, fixed("10000000001ns"), Setup{}), "")
	says(t, LP101, running(t, bare(), fixed("10s"), Setup{}), "not checked")
}

// C4: of 30 s the holder has 25 s where another machine's clock judges.
func TestLP101Skew(t *testing.T) {
	in := bare()
	in.Hold, in.Pause = is("19s"), is("1s")
	says(t, LP101, running(t, in, fixed("30s"), Setup{ClockSkew: is("10s")}), "")
	c := running(t, in, fixed("30s"), Setup{ClockSkew: is("10001ms")})
	says(t, LP101, c, "error")
	contains(t, first(t, LP101, c).Message, "30s (19.999s to its holder)")
	contains(t, first(t, LP101, c).Fix, "at least 30.001s")
}

// Row N19 of research/cases.md, 5 ms: the margin alone, 700 ms where nothing is
// known, is longer. Whatever the hold is, no work fits.
func TestLP101CoversNothing(t *testing.T) {
	in := calc.Inputs{Margin: is("700ms")}
	for ttl, want := range map[string]string{"5ms": "error", "500ms": "error", "700ms": "error", "701ms": "not checked"} {
		says(t, LP101, running(t, in, fixed(ttl), Setup{}), want)
	}
	in.Pause = is("1.5s")
	says(t, LP101, running(t, in, fixed("2.2s"), Setup{}), "error")
	says(t, LP101, running(t, in, fixed("2201ms"), Setup{}), "not checked")
	says(t, LP101, running(t, in, fixed("3.2s"), Setup{ClockSkew: is("1s")}), "error")
	contains(t, first(t, LP101, running(t, in, fixed("2s"), Setup{})).Message, "no hold at all", "1.5s", "700ms")
	says(t, LP101, running(t, in, renewed("500ms", "100ms", ""), Setup{}), "not checked") // LP109
	in.Hold = calc.Bound{Known: true, Unbounded: true}
	says(t, LP101, running(t, in, fixed("2s"), Setup{}), "error")
	if f := first(t, LP101, running(t, in, fixed("2s"), Setup{})); *f.Value != 2*time.Second || *f.Limit != 2200*time.Millisecond {
		t.Errorf("%v of %v", *f.Value, *f.Limit)
	}
}

// redsync's drift factor is a term of F1: (20 + 1 + 0.105) / 0.99 = 21.3182 s,
// in the whole milliseconds that it takes.
func TestLP101NamesTheDrift(t *testing.T) {
	in := calc.Inputs{Hold: is("20s"), Pause: is("1s"), Margin: is("105ms"), Drift: calc.One / 100, DriftGiven: true}
	f := first(t, LP101, running(t, in, fixed("8s"), Setup{}))
	contains(t, f.Message, "through 1 - drift 0.01")
	contains(t, f.Fix, "at least 21.319s")
}
