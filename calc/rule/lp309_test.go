package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP309(t *testing.T) {
	in := calc.Inputs{Margin: is("200ms"), Deadline: is("1s"), Work: is("450ms"), Reply: is("100ms")}
	for attempt, want := range map[string]string{"450ms": "", "451ms": "error", "3s": "error"} {
		says(t, LP309, running(t, in, fixed("5s"), Setup{Attempt: is(attempt)}), want)
	}
	says(t, LP309, running(t, in, fixed("5s"), Setup{Attempt: is("450ms"), Wait: is("300ms")}), "error")
	contains(t, first(t, LP309, running(t, in, fixed("5s"), Setup{Attempt: is("3s")})).Fix, "at most 200ms") // min(M, A)
	says(t, LP309, running(t, bare(), fixed("5s"), Setup{Attempt: is("3s"), Wait: is("0s")}), "not checked")
}
