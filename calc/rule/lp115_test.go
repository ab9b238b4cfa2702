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
	contains(t, first(t, LP115, running(t, in, fixed("1s"), Setup{Spent: is("1.2s")})).Message, "-200ms are left")
}
