package rule

import (
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

func TestLP109(t *testing.T) {
	in := calc.Inputs{Pause: is("1.5s"), Margin: is("700ms")}
	lease := renewed("8.7s", "2.9s", "700ms") // R1 of the model, for k = 1
	says(t, LP109, running(t, in, lease, Setup{}), "")
	lease.TTL -= 1
	says(t, LP109, running(t, in, lease, Setup{}), "warning")
	in.Failures, in.FailuresGiven = 1, true
	says(t, LP109, running(t, in, lease, Setup{}), "error")
	contains(t, first(t, LP109, running(t, in, lease, Setup{})).Fix, "at least 8.7s")

	in.Failures = 0
	says(t, LP109, running(t, in, lease, Setup{}), "")
	says(t, LP109, running(t, in, renewed("5.7s", "2.9s", "700ms"), Setup{}), "error") // not even the first
	says(t, LP109, running(t, in, fixed("1s"), Setup{}), "")

	c := running(t, in, lease, Setup{})
	own := -1
	c.Survives.Failures = &own
	says(t, LP109, c, "error")
}

// The hint holds the skew: 10 s + 10 s + 0.7 s + 20 s + 0.7 s and 5 s.
func TestLP109Skew(t *testing.T) {
	in := calc.Inputs{Pause: is("20s"), Margin: is("700ms")}
	skew := Setup{ClockSkew: is("5s")}
	contains(t, first(t, LP109, running(t, in, renewed("41.4s", "10s", "700ms"), skew)).Fix, "at least 46.4s at this interval")
	says(t, LP109, running(t, in, renewed("46.4s", "10s", "700ms"), skew), "")
	says(t, LP109, running(t, in, renewed("46399ms", "10s", "700ms"), skew), "warning")
}

// Redisson's own interval is a third: R1 needs T/3 for what pause, margin and
// call take, 1.5 s + 0.7 s + 0.7 s, in the model's example 8.7 s.
func TestLP109OfATiedInterval(t *testing.T) {
	in := calc.Inputs{Pause: is("1.5s"), Margin: is("700ms"), Library: ties{ratio: 3}}
	f := first(t, LP109, running(t, in, renewed("6s", "2s", "700ms"), Setup{}))
	if f.Fix != "a TTL of at least 8.7s" {
		t.Errorf("the hint is %q", f.Fix)
	}
	says(t, LP109, running(t, in, renewed("8.7s", "2.9s", "700ms"), Setup{}), "")
	// 8.699 s would be renewed every 2.89966 s, of 2.899 s left beside it twice.
	says(t, LP109, running(t, in, renewed("8699ms", "2899666666ns", "700ms"), Setup{}), "warning")

	in.Failures, in.FailuresGiven = 2, true // R1 needs k + 1 < n
	contains(t, first(t, LP109, running(t, in, renewed("6s", "2s", "700ms"), Setup{})).Fix, "no TTL is long enough")

	in.Failures = 1
	once := renewed("6s", "2s", "700ms")
	once.OneChance = true
	contains(t, first(t, LP109, running(t, in, once, Setup{})).Fix, "--failures 0")
}

// A lease that the margin uses up is no matter of how many failures were asked
// for; with 1 ms more a warning says the same of the default.
func TestLP109CoversNothing(t *testing.T) {
	in := calc.Inputs{Margin: is("700ms")}
	says(t, LP109, running(t, in, renewed("700ms", "100ms", "50ms"), Setup{}), "error")
	says(t, LP109, running(t, in, renewed("701ms", "100ms", "50ms"), Setup{}), "warning")
}

// A library that ends at the first failed renewal: no TTL gives it a second.
func TestLP109NothingHelps(t *testing.T) {
	c := running(t, bare(), renewed("10s", "5s", "1s"), Setup{})
	none := 0
	c.Survives.Failures = &none
	f := first(t, LP109, c)
	contains(t, f.Fix, "--failures 0", "at whatever TTL")
	c.Survives.Longer = func(int, time.Duration) string { return "" }
	contains(t, first(t, LP109, c).Fix, "another --library")
	c.Survives.Longer = func(k int, _ time.Duration) string { return map[int]string{1: "renewDeadline=20s"}[k] }
	contains(t, first(t, LP109, c).Fix, "renewDeadline=20s")
}
