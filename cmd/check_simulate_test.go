package cmd

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// What the formulas say of a lock that flags describe is confirmed by playing
// it, whatever its clocks: a call's timeout below the margin, none at all, or
// a clock that another machine judges by.
func TestCheckIsConfirmedBySimulation(t *testing.T) {
	confirmed := func(t rapid.TB, args []string) {
		_, stdout, stderr := run("", append(args, "--simulate")...)
		if !strings.Contains(stdout, "confirmed") || strings.Contains(stdout, "NOT CONFIRMED") {
			t.Errorf("%v: %s\n%s", args, stderr, stdout)
		}
	}
	confirmed(t, strings.Fields("check --ttl 3s --renew 1s --renew-timeout 100ms --renew-backoff 500ms --pause 0s --rtt 20ms --max-hold 30s --fencing yes --queue-sla 10m"))
	confirmed(t, strings.Fields("check --ttl 30s --renew 7s --renew-timeout 1s --renew-backoff 500ms --pause 1.5s --rtt 20ms --clock-skew 2s --fencing yes --queue-sla 10m --max-hold 2m"))
	confirmed(t, strings.Fields("check --ttl 30s --renew 3s --renew-timeout 29s --renew-backoff 2s --pause 1.5s --margin 8s"))
	confirmed(t, strings.Fields("check --library redisson --pause 1.5s --margin 2s"))
	confirmed(t, strings.Fields("check --ttl 30s --renew 3s --renew-backoff 0s --margin 0s --pause 0s --p999 800ms"))
	confirmed(t, strings.Fields("check --ttl 30s --renew 10s --margin 0s --pause 0s --p999 1s"))
	confirmed(t, strings.Fields("check --ttl 30s --margin 0s --pause 0s --p999 1s"))
	played := 0
	rapid.Check(t, func(t *rapid.T) {
		if played++; played > 25 {
			return
		}
		span := func(name string, least, most int) string {
			return (time.Duration(rapid.IntRange(least, most).Draw(t, name)) * time.Millisecond).String()
		}
		args := []string{"check", "--ttl", span("ttl", 1000, 60_000), "--pause", span("pause", 0, 3000), "--margin", span("margin", 1, 1000)}
		if rapid.IntRange(0, 3).Draw(t, "calls take no time") == 0 {
			args[len(args)-1] = "0s"
		}
		if rapid.Bool().Draw(t, "renews") {
			interval := rapid.IntRange(100, 20_000).Draw(t, "renew")
			args = append(args, "--renew", (time.Duration(interval) * time.Millisecond).String())
			if rapid.Bool().Draw(t, "timeout known") {
				// A call longer than the interval is LP108, and played too.
				args = append(args, "--renew-timeout", span("timeout", 1, 3*interval))
				if rapid.Bool().Draw(t, "retries") {
					args = append(args, "--renew-backoff", span("backoff", 0, 2000))
				}
			}
		} else {
			args = append(args, "--p999", span("hold", 1, 20_000))
		}
		if rapid.Bool().Draw(t, "skewed") {
			args = append(args, "--clock-skew", span("skew", 1, 3000))
		}
		confirmed(t, args)
	})
}

// The takeover is played with the clock that is behind: it comes later by all
// of the skew.
func TestSkewIsPlayed(t *testing.T) {
	_, stdout, _ := run("", strings.Fields("check --ttl 30s --renew 7s --renew-timeout 1s --pause 1.5s --rtt 20ms --clock-skew 2s --simulate")...)
	if !strings.Contains(stdout, "takeover after a crash confirmed: 32.1") {
		t.Errorf("%s", stdout)
	}
}

// L1: what the library's own signal of loss is worth to a holder that is cut
// off. rueidislock with 2 s and 1 s tells 3 s after the last renewal, as
// measured, client-go's defaults 12 s after it, of 15.
func TestSignalOfLossIsPlayed(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"--library rueidislock --set KeyValidity=2s --set ExtendInterval=1s --pause 0s", "writes for up to 1s after another owned the lock"},
		{"--library rueidislock --set KeyValidity=2s --set ExtendInterval=1s --pause 500ms --stop-time 200ms", "predicted 1.7s"},
		{"--library kubernetes --pause 1s", "stops in time"},
	} {
		_, stdout, stderr := run("", append(strings.Fields("check "+c.args), "--simulate")...)
		if text := strings.Join(strings.Fields(stdout), " "); !strings.Contains(text, "holder told confirmed: ") || !strings.Contains(text, c.says) {
			t.Errorf("%s: want %q\n%s\n%s", c.args, c.says, stdout, stderr)
		}
	}
}

// A configuration that takes too long to play is told so, and is neither
// confirmed nor denied.
func TestCheckSimulateIsBounded(t *testing.T) {
	for _, args := range []string{
		"check --ttl 24h --renew 1s --p999 1s --pause 1s --simulate",
		"check --ttl 1h --renew 20m --p999 30m --pause 1s --margin 1ms --renew-timeout 1ms --renew-backoff 0s --simulate",
		"check --ttl 3650d --renew 1ms --p999 1s --pause 1s --simulate",
	} {
		_, stdout, stderr := run("", strings.Fields(args)...)
		if !strings.Contains(stdout, "not played: one trial is of more than 524 288 events") || strings.Contains(stdout, "NOT CONFIRMED") {
			t.Errorf("%s: %s\n%s", args, stdout, stderr)
		}
	}
}
