package rule

import (
	"fmt"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP310 is idle-connection-outlives-firewall.
var LP310 = Rule{
	ID: "LP310", Name: "idle-connection-outlives-firewall", Severity: finding.Warning,
	Condition: "the client's idle timeout >= the firewall's, or connections that it never closes, and its ping of an idle connection is off or >= the firewall's; " +
		"info where such a ping is all that keeps the connection",
	Why: "A firewall drops an idle connection without a word to either side. The next renewal or unlock is sent into " +
		"nothing and waits for its whole timeout, at the moment when time is short.",
	Fix:     "ping idle connections, or close them ourselves, well before the firewall does",
	Example: Example{Args: []string{"check", "--library", "redisson@3.47", "--set", "idleConnectionTimeout=900000", "--firewall-idle", "5m"}},
	Needs: []Need{
		{"the firewall's idle limit (--firewall-idle)", func(c *Case) bool { return c.Setup.FirewallIdle.Known }},
		{"the client's idle timeout (--idle-timeout)", func(c *Case) bool { return c.Setup.Idle.Known }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		idle, ping, limit := c.Setup.Idle, c.Setup.Ping, c.Setup.FirewallIdle.Value
		outlives := idle.Unbounded || idle.Value >= limit
		pinged := ping.Known && ping.Value > 0 && ping.Value < limit
		if !outlives && (pinged || c.Setup.Kept == 0) {
			return nil
		}
		keeps := "keeps an idle connection for " + dur.Format(idle.Value)
		switch {
		case idle.Unbounded:
			keeps = "never closes an idle connection"
		case !outlives:
			keeps = fmt.Sprintf("never closes its last %d connections, however long they are idle", c.Setup.Kept)
		}
		half := dur.Format(down(limit / 2))
		fix := "an idle timeout below " + dur.Format(limit) + ", as " + half
		if ping.Known {
			fix = "a ping of idle connections below " + dur.Format(limit) + ", as " + half
		}
		message := "the client " + keeps + ", the firewall drops it after " + dur.Format(limit)
		if ping.Known && ping.Value > 0 {
			message += "; it is pinged every " + dur.Format(ping.Value)
		}
		if pinged {
			message, fix = message+", which keeps it", "keep the ping below "+dur.Format(limit)
		}
		f := r.found(idle, limit, message, fix)
		if pinged {
			f.Severity = finding.Info
		}
		return []finding.Finding{f}
	},
}
