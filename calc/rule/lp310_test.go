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
