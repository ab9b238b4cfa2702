package rule

import (
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// signals is a library that tells a cut-off holder after the given time.
type signals struct {
	calc.Generic
	loss time.Duration
}

func (s signals) Loss(time.Duration) (time.Duration, bool) { return s.loss, true }

func TestLP112(t *testing.T) {
	in := bare()
	in.Pause = is("2s")
	says(t, LP112, running(t, in, fixed("10s"), Setup{}), "") // no signal at all
	in.Library = signals{loss: d("7s")}
	says(t, LP112, running(t, in, fixed("10s"), Setup{}), "")
	says(t, LP112, running(t, in, fixed("10s"), Setup{StopTime: is("999ms")}), "")
	says(t, LP112, running(t, in, fixed("10s"), Setup{StopTime: is("1s")}), "error")
	says(t, LP112, running(t, in, fixed("10s"), Setup{ClockSkew: is("999ms")}), "") // C4: worth T - skew
	says(t, LP112, running(t, in, fixed("10s"), Setup{ClockSkew: is("1s")}), "error")
	says(t, LP112, running(t, in, fixed("10s"), Setup{StopTime: is("1s"), StopWork: is("5s")}), "warning")

	in.Drift, in.DriftGiven = calc.One/10, true // free_min is worth 9 s
	says(t, LP112, running(t, in, fixed("10s"), Setup{}), "error")
	contains(t, first(t, LP112, running(t, in, fixed("10s"), Setup{})).Fix, "stop work 7s") // S = 9 - 2

	in.Hold, in.Library = is("1s"), signals{loss: d("1h")}
	says(t, LP112, planned(t, in), "warning")
}

// C4: of 10 s the application has 9 s, less the pause.
func TestLP112StopsWithTheSkew(t *testing.T) {
	in := bare()
	in.Pause, in.Library = is("2s"), signals{loss: d("7s")}
	contains(t, first(t, LP112, running(t, in, fixed("10s"), Setup{ClockSkew: is("1s")})).Fix, "stop work 7s")
}
