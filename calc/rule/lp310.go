package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP310 is idle-connection-outlives-firewall.
var LP310 = Rule{
	ID: "LP310", Name: "idle-connection-outlives-firewall", Severity: finding.Warning,
	Condition: "the client's idle timeout >= the firewall's",
	Why: "A firewall drops an idle connection without a word to either side. The next renewal or unlock is sent into " +
		"nothing and waits for its whole timeout, at the moment when time is short.",
	Fix:     "close idle connections ourselves, well before the firewall does, or keep them alive",
	Example: Example{Args: []string{"check", "--library", "redisson@3.47", "--set", "idleConnectionTimeout=900000", "--firewall-idle", "5m"}},
	Needs: []Need{
		{"the firewall's idle limit (--firewall-idle)", func(c *Case) bool { return c.Setup.FirewallIdle.Known }},
		{"the client's idle timeout (--idle-timeout)", func(c *Case) bool { return c.Setup.Idle.Known }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		idle, limit := c.Setup.Idle, c.Setup.FirewallIdle.Value
		if idle.Finite() && idle.Value < limit {
			return nil
		}
		keeps := "keeps an idle connection for " + dur.Format(idle.Value)
		if idle.Unbounded {
			keeps = "never closes an idle connection"
		}
		return []finding.Finding{r.found(idle, limit, "the client "+keeps+", the firewall drops it after "+dur.Format(limit),
			"an idle timeout below "+dur.Format(limit)+", as "+dur.Format(down(limit/2)))}
	},
}
