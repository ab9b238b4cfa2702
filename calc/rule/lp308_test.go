package rule

import "testing"

// A wait of 10 s fills a pool of 200 at 100 callers a second.
func TestLP308(t *testing.T) {
	in := bare()
	in.AcquireRate = 100
	pool := func(wait string) Setup { return Setup{Wait: is(wait), Pool: Pool{Threads: 200}} }
	says(t, LP308, running(t, in, fixed("1s"), pool("2s")), "")
	says(t, LP308, running(t, in, fixed("1s"), pool("2001ms")), "warning")
	f := first(t, LP308, running(t, in, fixed("1s"), pool("10s")))
	contains(t, f.Message, "1000 threads")
	contains(t, f.Fix, "at most 2s")
	says(t, LP308, running(t, in, fixed("1s"), Setup{Wait: is("10s")}), "not checked")
}
