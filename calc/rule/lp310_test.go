package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

// 15 minutes idle against a firewall's 5.
func TestLP310(t *testing.T) {
	for idle, want := range map[string]string{"299999ms": "", "5m": "warning", "15m": "warning"} {
		says(t, LP310, running(t, bare(), fixed("5s"), Setup{Idle: is(idle), FirewallIdle: is("5m")}), want)
	}
	says(t, LP310, running(t, bare(), fixed("5s"), Setup{Idle: calc.Bound{Known: true, Unbounded: true}, FirewallIdle: is("5m")}), "warning")
	says(t, LP310, running(t, bare(), fixed("5s"), Setup{FirewallIdle: is("5m")}), "not checked")
}

// Redisson 3.47, by hand: connections of the minimum are never closed, and a
// ping every 2 s leaves none idle for longer.
func TestLP310Pinged(t *testing.T) {
	at := func(idle, ping string, kept int) Setup {
		return Setup{Idle: is(idle), Ping: is(ping), Kept: kept, FirewallIdle: is("5m")}
	}
	for _, row := range []struct {
		setup Setup
		want  string
	}{
		{at("15m", "30s", 24), "info"}, // D4's 900 s: the ping is what keeps it
		{at("150s", "30s", 24), ""},
		{at("150s", "299999ms", 24), ""},
		{at("150s", "5m", 24), "warning"},
		{at("150s", "0s", 24), "warning"},
		{at("150s", "0s", 0), ""},
		{at("15m", "0s", 0), "warning"},
	} {
		says(t, LP310, running(t, bare(), fixed("5s"), row.setup), row.want)
	}
	f := first(t, LP310, running(t, bare(), fixed("5s"), at("150s", "0s", 24)))
	contains(t, f.Message, "never closes its last 24 connections")
	contains(t, f.Fix, "ping", "below 5m")
}
