package rule

import (
	"fmt"
	"math"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP308 is threads-held.
var LP308 = Rule{
	ID: "LP308", Name: "threads-held", Severity: finding.Warning,
	Condition: "lambda * A > threads of the pool",
	Why: "Each waiting caller keeps a thread. When the lock is stuck, arrivals times the wait fill the pool, and requests " +
		"that need no lock fail with the rest. A wait of 1 to 3 s fails fast; 10 s is the incident.",
	Fix:     "a shorter wait, a limit on waiting callers, or a pool of their own for them",
	Example: Example{Args: []string{"check", "--ttl", "5s", "--wait", "10s", "--rate", "100/s", "--threads", "200"}},
	Needs: []Need{NeedRate,
		{"the acquire wait (--wait)", func(c *Case) bool { return c.Setup.Wait.Known || c.Planned && c.Acquire.Known }},
		{"the threads of the pool (--threads)", func(c *Case) bool { return c.Setup.Pool.Threads > 0 }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		wait, _ := c.Wait()
		threads := c.Setup.Pool.Threads
		held := c.In.AcquireRate * wait.Value.Seconds()
		if held <= float64(threads) {
			return nil
		}
		most := time.Duration(float64(threads) / c.In.AcquireRate * float64(time.Second))
		return []finding.Finding{r.found(wait, most,
			fmt.Sprintf("%.4g callers a second that wait %s hold %.0f threads, the pool has %d", c.In.AcquireRate, dur.Format(wait.Value), math.Ceil(held), threads),
			"a wait of at most "+dur.Format(down(most)))}
	},
}
