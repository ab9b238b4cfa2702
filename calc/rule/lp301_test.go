package rule

import "testing"

// 1000 - 450 - 100 leaves 450 ms; waiting until 900 ms is an error.
func TestLP301(t *testing.T) {
	in := bare()
	in.Deadline, in.Work, in.Reply = is("1s"), is("450ms"), is("100ms")
	for wait, want := range map[string]string{"449999us": "", "450ms": "error", "900ms": "error"} {
		says(t, LP301, running(t, in, fixed("5s"), Setup{Wait: is(wait)}), want)
	}
	in.Deadline = is("550ms") // nothing is left
	says(t, LP301, running(t, in, fixed("5s"), Setup{}), "error")
	in.Work, in.Reply = is("106751d"), is("106751d") // no overflow
	says(t, LP301, running(t, in, fixed("5s"), Setup{}), "error")
	says(t, LP301, running(t, bare(), fixed("5s"), Setup{Wait: is("900ms")}), "not checked")

	in = bare()
	in.Deadline = is("1s") // how much of it the work takes is not known
	says(t, LP301, running(t, in, fixed("5s"), Setup{Wait: is("999ms")}), "not checked")
	says(t, LP301, running(t, in, fixed("5s"), Setup{Wait: is("1s")}), "error")
}
