package rule

import "testing"

func TestLP113(t *testing.T) {
	in := bare()
	says(t, LP113, running(t, in, renewed("30s", "10s", "1s"), Setup{}), "warning")
	says(t, LP113, running(t, in, fixed("30s"), Setup{}), "")
	in.MaxHold = is("2m")
	says(t, LP113, running(t, in, renewed("30s", "10s", "1s"), Setup{}), "")
}
