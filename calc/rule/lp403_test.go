package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

// A grace of 10 s against a drain of 30 s.
func TestLP403(t *testing.T) {
	in := calc.Inputs{Margin: is("700ms")}
	for grace, want := range map[string]string{"10s": "error", "30.7s": "error", "30701ms": ""} {
		says(t, LP403, running(t, in, renewed("15s", "5s", "1s"), Setup{Grace: is(grace), Drain: is("30s")}), want)
	}
	says(t, LP403, running(t, in, renewed("15s", "5s", "1s"), Setup{Grace: is("31s"), Drain: is("30s"), Unlock: is("1s")}), "error")
	says(t, LP403, running(t, in, renewed("15s", "5s", "1s"), Setup{Grace: is("31s")}), "not checked")
	in.Hold = is("31s")
	says(t, LP403, running(t, in, renewed("15s", "5s", "1s"), Setup{Grace: is("31s")}), "error")
}
