package rule

import (
	"fmt"

	"github.com/lockplan/lockplan/calc/finding"
)

// LP311 is pool.
var LP311 = Rule{
	ID: "LP311", Name: "pool", Severity: finding.Warning,
	Condition: "renewals share the business pool, minimum idle < 10, or pods * pool size > maxclients",
	Why: "A renewal that waits for a connection behind business traffic is late exactly when the service is busy. A pool " +
		"too small for a burst, or a server that refuses the next connection, ends the same way.",
	Fix:     "a pool of its own for locks, at least 10 idle connections, and pods x pool below the server's maxclients",
	Example: Example{Args: []string{"check", "--library", "redisson@3.47", "--set", "connectionMinimumIdleSize=5"}},
	Needs: []Need{{"the connection pool (--pool with --pods and --max-clients, or --shared-pool)", func(c *Case) bool {
		p := c.Setup.Pool
		return p.SharedWithBusiness || p.MinIdle > 0 || p.Pods > 0 && p.Size > 0 && p.MaxClients > 0
	}}},
	Check: func(r Rule, c *Case) []finding.Finding {
		p := c.Setup.Pool
		place := Place{p.File, p.Line}
		var found []finding.Finding
		if p.SharedWithBusiness {
			found = append(found, r.at(place, "renewals share their connections with business traffic: a full pool delays the renewal", "a client with a pool of its own for the locks"))
		}
		if p.MinIdle > 0 && p.MinIdle < 10 {
			found = append(found, r.at(place, fmt.Sprintf("%d idle connections at least: a burst waits for new ones to open", p.MinIdle), "a minimum of 10 idle connections"))
		}
		if p.MaxClients > 0 && p.Size > 0 && p.Pods > p.MaxClients/p.Size {
			found = append(found, r.at(place, fmt.Sprintf("%d pods with a pool of %d each are above the server's maxclients of %d", p.Pods, p.Size, p.MaxClients),
				fmt.Sprintf("a pool of at most %d, or maxclients above %d x %d", p.MaxClients/p.Pods, p.Pods, p.Size)))
		}
		return found
	},
}
