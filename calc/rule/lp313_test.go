package rule

import "testing"

func TestLP313(t *testing.T) {
	in := bare()
	in.Hold = is("10s")
	says(t, LP313, running(t, in, fixed("12s"), Setup{Wait: is("12s")}), "warning")
	says(t, LP313, running(t, in, fixed("12s"), Setup{Wait: is("13s")}), "") // outlives a dead holder
	says(t, LP313, running(t, in, fixed("3s"), Setup{Wait: is("30s")}), "warning")
	says(t, LP313, running(t, in, fixed("10s"), Setup{Wait: is("30s")}), "warning")
	says(t, LP313, running(t, in, fixed("3s"), Setup{Wait: is("10s")}), "")
	says(t, LP313, running(t, in, renewed("3s", "1s", "100ms"), Setup{Wait: is("30s")}), "")
	says(t, LP313, running(t, in, fixed("3s"), Setup{}), "not checked")
}
