package rule

import "testing"

func TestLP116(t *testing.T) {
	in := bare()
	in.Hold, in.MaxHold = is("60s"), is("60s")
	says(t, LP116, running(t, in, renewed("30s", "10s", "1s"), Setup{}), "")
	in.MaxHold = is("59999ms")
	says(t, LP116, running(t, in, renewed("30s", "10s", "1s"), Setup{}), "error")
	in.MaxHold = is("")
	says(t, LP116, running(t, in, fixed("90s"), Setup{StopWork: is("59999ms")}), "error") // nothing renews: work ends there
	says(t, LP116, running(t, in, fixed("90s"), Setup{StopWork: is("60s")}), "")
	says(t, LP116, running(t, in, renewed("30s", "10s", "1s"), Setup{StopWork: is("20s")}), "not checked") // each renewal begins it anew
	says(t, LP116, running(t, in, renewed("30s", "10s", "1s"), Setup{}), "not checked")
}
