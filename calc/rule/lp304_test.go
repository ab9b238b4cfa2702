package rule

import "testing"

// Screen of the plan: 3 s + 700 ms of takeover, callers wait 450 ms.
func TestLP304(t *testing.T) {
	in := bare()
	in.Detect = is("700ms")
	f := first(t, LP304, running(t, in, fixed("3s"), Setup{Wait: is("450ms")}))
	contains(t, f.Message, "fail for 3.25s", "takeover takes 3.7s")
	says(t, LP304, running(t, in, fixed("3s"), Setup{Wait: is("3.7s")}), "")
	says(t, LP304, running(t, in, fixed("3s"), Setup{Wait: is("3699ms")}), "warning")
	says(t, LP304, running(t, in, fixed("3s"), Setup{Wait: is("3.7s"), ClockSkew: is("1ms")}), "warning")
	says(t, LP304, running(t, in, fixed("3s"), Setup{}), "not checked")
}
