package rule

import "testing"

func TestLP115(t *testing.T) {
	in := bare()
	in.Hold = is("300ms")
	says(t, LP115, running(t, in, fixed("1s"), Setup{}), "not checked")
	says(t, LP115, running(t, in, fixed("1s"), Setup{Spent: is("699ms")}), "")
	says(t, LP115, running(t, bare(), fixed("10s"), Setup{Spent: is("12s")}), "error") // nothing left for any hold
	says(t, LP115, running(t, bare(), fixed("10s"), Setup{Spent: is("10s")}), "error")
	says(t, LP115, running(t, bare(), fixed("10s"), Setup{Spent: is("9s")}), "not checked")
	says(t, LP115, running(t, in, fixed("1s"), Setup{Spent: is("700ms")}), "error")
	says(t, LP115, running(t, bare(), renewed("1s", "300ms", ""), Setup{Spent: is("699ms")}), "")
	says(t, LP115, running(t, bare(), renewed("1s", "300ms", ""), Setup{Spent: is("700ms")}), "error")
	// node-redlock: 10 tries 200 ms apart for a lock of 1 s, got at 1.2 s.
	contains(t, first(t, LP115, running(t, in, fixed("1s"), Setup{Spent: is("1.2s")})).Message, "nothing is left")
}

// Of 30 s the holder has 25 s: 6 s of them spent, 19 s are left for 20 s.
func TestLP115Skew(t *testing.T) {
	in := bare()
	in.Hold = is("20s")
	says(t, LP115, running(t, in, fixed("30s"), Setup{Spent: is("6s")}), "")
	c := running(t, in, fixed("30s"), Setup{Spent: is("6s"), ClockSkew: is("5s")})
	says(t, LP115, c, "error")
	contains(t, first(t, LP115, c).Message, "30s (25s to its holder): 19s are left")
	contains(t, first(t, LP115, c).Fix, "above 31s")
	says(t, LP115, running(t, in, fixed("31001ms"), Setup{Spent: is("6s"), ClockSkew: is("5s")}), "")
}

// A third of the TTL must be left: T - 15 s > T/3.
func TestLP115OfATiedInterval(t *testing.T) {
	in := bare()
	in.Library = ties{ratio: 3}
	contains(t, first(t, LP115, running(t, in, renewed("15s", "5s", ""), Setup{Spent: is("15s")})).Fix, "at least 22.501s")
}
