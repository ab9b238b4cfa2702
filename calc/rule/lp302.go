package rule

import (
	"fmt"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP302 is layers-not-decreasing.
var LP302 = Rule{
	ID: "LP302", Name: "layers-not-decreasing", Severity: finding.Error,
	Condition: "gateway > api > rpc > lock wait > one command: an inner timeout >= the outer one",
	Why: "The outer layer gives up first. The inner one goes on for a caller that has left, takes the lock, does the " +
		"work, and the caller's retry meets it halfway.",
	Fix: "each timeout below the one around it, from the outside in",
	Example: Example{
		Args: []string{"check", "-f", "lockplan.yaml"},
		Files: map[string]string{"lockplan.yaml": "apiVersion: lockplan/v1\nservices:\n  stock:\n    p999: 200ms\n    pause: 1.5s\n" +
			"    chain:\n      - {name: gateway, timeout: 1s}\n      - {name: api, timeout: 3s}\n"},
	},
	Needs: []Need{{"two layers (chain: in lockplan.yaml)", func(c *Case) bool {
		_, waits := c.Wait()
		return len(c.Setup.Layers) > 1 || len(c.Setup.Layers) == 1 && waits
	}}},
	Check: func(r Rule, c *Case) []finding.Finding {
		var found []finding.Finding
		outer := Layer{}
		for _, inner := range c.Setup.Layers {
			if !inner.Timeout.Known {
				continue
			}
			if outer.Timeout.Known && inner.Timeout.Value >= outer.Timeout.Value {
				found = append(found, r.found(inner.Timeout, outer.Timeout.Value,
					fmt.Sprintf("%s may take %s, and %s around it gives up after %s", inner.Name, dur.Format(inner.Timeout.Value), outer.Name, dur.Format(outer.Timeout.Value)),
					fmt.Sprintf("%s below %s, or %s above %s", inner.Name, dur.Format(outer.Timeout.Value), outer.Name, dur.Format(inner.Timeout.Value))))
			}
			outer = inner
		}
		wait, known := c.Wait()
		if known && outer.Timeout.Known && wait.Value >= outer.Timeout.Value {
			found = append(found, r.found(wait, outer.Timeout.Value,
				fmt.Sprintf("the acquire wait may take %s, and %s around it gives up after %s", dur.Format(wait.Value), outer.Name, dur.Format(outer.Timeout.Value)),
				fmt.Sprintf("a wait below %s, or %s above %s", dur.Format(outer.Timeout.Value), outer.Name, dur.Format(wait.Value))))
		}
		return found
	},
}
