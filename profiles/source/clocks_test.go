package source

import (
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// Clocks that were 40 ms behind their server, whose own root dispersion was
// 3 ms and root delay 1.7 ms: chronyd and ntpd of ntpsec, neither of which may
// set the clock. The bounds are the sum of the three figures by hand:
// 0.040032167 + 0.003003449 + 0.001802453/2 s, and 40.04998 + 45.723 +
// 1.827/2 ms.
func TestClockDaemons(t *testing.T) {
	for name, want := range map[string]time.Duration{
		"chrony-tracking.txt": 43_936_843,
		"chrony-tracking.csv": 43_927_125,
		"ntpq-rv.txt":         86_686_480,
	} {
		o := mustFile(t, name, Query{Measures: Clock})
		if got := o.Dist.Max(); got.Upper < want || got.Upper > want+2*time.Microsecond || o.Measures != Clock {
			t.Errorf("%s: up to %v of %s, want %v", name, got.Upper, o.Measures, want)
		}
	}
	if n := mustFile(t, "chrony-tracking.txt", Query{}).Dist.Count(); n != 2 {
		t.Errorf("%d answers, want 2", n)
	}
}

// Each of these has a small figure that is not how far the clock is off: 7 ns
// and 0 ms before anything was compared; -3.7 us +/- 3.9 ms, -1 ns and, with
// the peer's own dispersion, 43.9 ms of clocks that are 40 ms off and whose
// error may be 43.9 and 86.7 ms.
func TestClocksThatDoNotSay(t *testing.T) {
	for name, class := range map[string]fault.Class{
		"chrony-unsynchronised.txt": fault.NoData,
		"ntpq-unsynchronised.txt":   fault.NoData,
		"chrony-sources.txt":        fault.Usage,
		"chrony-sourcestats.txt":    fault.Usage,
		"ntpq-peers.txt":            fault.Usage,
		"ntpq-association.txt":      fault.Usage,
	} {
		_, err := file(t, name, Query{Measures: Clock})
		refused(t, err, class, name)
	}
	_, err := text("x", "7F000001,127.0.0.1,3,1796055580.8,0.04,-0.0,0.0,0.043,-0.002,0.232,0.0018,0.0029,1.0,Not synchronised\n", Query{})
	refused(t, err, fault.NoData, "x:1")
	_, err = text("x", "associd=0 leap=00,\nrootdelay=1, rootdisp=2\n", Query{})
	refused(t, err, fault.NoData, "missing", "ntpq -c rv")
}

// An answer about the sources beside the one about the clock takes nothing
// from it.
func TestTrackingAmongSources(t *testing.T) {
	o := mustText(t, "MS Name/IP address         Stratum Poll Reach LastRx Last sample\n"+
		"^* localhost                     2   0   377     1  -3661ns[-3965ns] +/- 3892us\n"+
		"System time     : 0.040000000 seconds slow of NTP time\nRoot delay      : 0.001800000 seconds\nRoot dispersion : 0.003000000 seconds\n", Query{})
	if got := o.Dist.Max().Upper; got < 43_900_000 || got > 43_901_000 {
		t.Errorf("up to %v, want 43.9ms", got)
	}
}

func FuzzChrony(f *testing.F) {
	fuzz(f, "chrony", Query{}, "chrony-tracking.txt", "chrony-tracking.csv", "chrony-sources.txt", "System time : 0.1 seconds\nRoot delay : 0.4 s\nRoot dispersion : 0.1 s\n")
}

func FuzzNtpq(f *testing.F) {
	fuzz(f, "ntpq", Query{}, "ntpq-rv.txt", "ntpq-association.txt", "ntpq-peers.txt", "rootdelay=0.4, rootdisp=0.1, offset=-0.01\n")
}
