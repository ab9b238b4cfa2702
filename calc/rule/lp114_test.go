package rule

import (
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP114(t *testing.T) {
	in := bare()
	says(t, LP114, running(t, in, fixed("30s"), Setup{}), "warning")
	in.Fencing = calc.FencingYes
	says(t, LP114, running(t, in, fixed("30s"), Setup{}), "")

	c := running(t, bare(), fixed("30s"), Setup{})
	c.DoubleWrites = 0.25
	contains(t, first(t, LP114, c).Message, "0.25 possible double writes a day")
}

// Row R16 of research/cases.md: a worker that loses Redis and keeps its
// database is told nothing; 30 s - 5 s - 0.7 s are left to it.
func TestLP114SaysWhenToStop(t *testing.T) {
	in := bare()
	in.Pause, in.Margin = is("5s"), is("700ms")
	contains(t, first(t, LP114, running(t, in, fixed("30s"), Setup{})).Fix, "stop work 24.3s after")
	configured := first(t, LP114, running(t, in, fixed("30s"), Setup{StopWork: is("24s")}))
	if strings.Contains(configured.Fix, "stop work") {
		t.Errorf("a stop-work point is configured, the hint is %q", configured.Fix)
	}
}

// C4: of 30 s the holder has 25 s.
func TestLP114StopsWithTheSkew(t *testing.T) {
	in := bare()
	in.Pause, in.Margin = is("1s"), is("700ms")
	contains(t, first(t, LP114, running(t, in, fixed("30s"), Setup{ClockSkew: is("5s")})).Fix, "stop work 23.3s after")
}
