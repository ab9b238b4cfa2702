package rule

import "github.com/lockplan/lockplan/calc/finding"

// LP307 is unbounded-wait.
var LP307 = Rule{
	ID: "LP307", Name: "unbounded-wait", Severity: finding.Warning,
	Condition: "no deadline, no queue SLA and no acquire wait",
	Why: "A caller without a limit waits for as long as the lock is stuck. The callers pile up, threads and connections " +
		"run out, and one stuck key stops the service.",
	Fix:     "--deadline for a request, --queue-sla for asynchronous work",
	Example: Example{Args: []string{"ttl", "--p999", "800ms", "--pause", "1.5s"}},
	Check: func(r Rule, c *Case) []finding.Finding {
		scheduled := c.Setup.Period.Known || c.Setup.AtMost.Known // takes the lock at once or not at all
		if c.In.Deadline.Known || c.In.QueueSLA.Known || c.Setup.Wait.Known || scheduled {
			return nil
		}
		return []finding.Finding{r.says("nothing limits how long a caller waits for the lock",
			"--deadline 1s --work 450ms for a request, or --queue-sla 30s for asynchronous work")}
	},
}
