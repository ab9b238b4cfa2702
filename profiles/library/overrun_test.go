package library

import (
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
)

// A wait and the calls in flight at its end against D - B - R - C = 838 ms:
// waits of 837 ms and calls of 176 or 142 ms, late timers among them, and 439 +
// 4 x 100 ms are too long, 838 ms itself is not.
func TestAcquireOverruns(t *testing.T) {
	for _, c := range []struct {
		library, id string
		values      Values
		wait        time.Duration
		acquire     time.Duration
		found       bool
	}{
		{"redisson@4.2", "LP502", Values{"waitTime": {Text: "837"}, "timeout": {Text: "58"}, "retryAttempts": {Text: "0"}, "retryDelay": {Text: constantDelay("PT0.001S")}}, 0, 1013 * time.Millisecond, true},
		{"redisson@4.2", "LP502", Values{"waitTime": {Text: "837"}, "timeout": {Text: "107"}, "retryAttempts": {Text: "1"}, "retryDelay": {Text: constantDelay("PT0.01S")}}, 0, 979 * time.Millisecond, true},
		{"redisson@4.2", "LP502", Values{"waitTime": {Text: "696"}, "timeout": {Text: "107"}, "retryAttempts": {Text: "1"}, "retryDelay": {Text: constantDelay("PT0.01S")}}, 0, 838 * time.Millisecond, false},
		{"curator", "LP585", quickSession, 439 * time.Millisecond, 839 * time.Millisecond, true},
		{"curator", "LP585", quickSession, 438 * time.Millisecond, 838 * time.Millisecond, false},
	} {
		lib, err := Get(c.library)
		if err != nil {
			t.Fatal(err)
		}
		in := calc.Inputs{Library: lib, Deadline: calc.Claim(time.Second, "--deadline"), Work: calc.Claim(60*time.Millisecond, "--work"),
			Reply: calc.Claim(100*time.Millisecond, "--reply"), RTT: calc.Claim(2*time.Millisecond, "--rtt")}
		if in, err = in.Resolve(); err != nil {
			t.Fatal(err)
		}
		run := &Running{Library: lib, Values: c.values, In: in}
		if c.wait > 0 {
			run.Setup.Wait = calc.Claim(c.wait, "--wait")
		}
		v, err := Judge(run)
		if err != nil {
			t.Fatal(err)
		}
		if got := *v.Consequences.AcquireWorst; got != c.acquire {
			t.Errorf("%s %v: an acquire takes up to %s, want %s", c.library, c.values, got, c.acquire)
		}
		found := false
		for _, f := range v.Findings {
			found = found || f.ID == c.id && f.Severity == finding.Warning
		}
		if found != c.found {
			t.Errorf("%s %v: %s is found: %v", c.library, c.values, c.id, found)
		}
	}
}

func constantDelay(delay string) string {
	return "!<org.redisson.config.ConstantDelay> {delay: " + delay + "}"
}

// quickSession is given up after 2T/3, 100 ms.
var quickSession = Values{"sessionTimeoutMs": {Text: "150"}, "tickTime": {Text: "50"}, "connectionTimeoutMs": {Text: "50"}, "retries": {Text: "0"}}
