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
	contains(t, first(t, LP112, running(t, in, fixed("10s"), Setup{StopTime: is("1s"), StopWork: is("5s")})).Message, "stops by itself after 5s is all")

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

// The application's own limit stands in for loss(T): 28 + 2 + 1 s of a lease of
// 30 s are too many, and so are 25 + 10 + 1; 26 + 2 + 1 are not, and 27 + 2 + 1
// are as long as the lease.
func TestLP112OwnLimit(t *testing.T) {
	in := bare()
	in.Pause = is("1s")
	for _, lease := range []calc.Lease{renewed("30s", "10s", "1s"), fixed("30s")} {
		says(t, LP112, running(t, in, lease, Setup{StopWork: is("28s"), StopTime: is("2s")}), "error")
		says(t, LP112, running(t, in, lease, Setup{StopWork: is("25s"), StopTime: is("10s")}), "error")
		says(t, LP112, running(t, in, lease, Setup{StopWork: is("27s"), StopTime: is("2s")}), "error")
		says(t, LP112, running(t, in, lease, Setup{StopWork: is("26999ms"), StopTime: is("2s")}), "")
		says(t, LP112, running(t, in, lease, Setup{StopWork: is("25s"), StopTime: is("2s"), ClockSkew: is("2s")}), "error")
		says(t, LP112, running(t, in, lease, Setup{StopTime: is("10s")}), "") // no limit that could be late
		contains(t, first(t, LP112, running(t, in, lease, Setup{StopWork: is("25s"), StopTime: is("10s")})).Fix, "at most 18.999s")
	}
	contains(t, first(t, LP112, running(t, in, fixed("3s"), Setup{StopWork: is("1s"), StopTime: is("2s")})).Fix, "a TTL longer than")
	in.Library = signals{loss: d("20s")} // told in time, whatever the limit says
	says(t, LP112, running(t, in, renewed("30s", "10s", "1s"), Setup{StopWork: is("28s"), StopTime: is("2s")}), "")
	in.Library = signals{loss: d("31s")}
	says(t, LP112, running(t, in, renewed("30s", "10s", "1s"), Setup{StopWork: is("28s"), StopTime: is("2s")}), "error")
	says(t, LP112, running(t, in, renewed("30s", "10s", "1s"), Setup{StopWork: is("20s"), StopTime: is("2s")}), "warning")
}
