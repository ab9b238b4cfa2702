package rule

import (
	"fmt"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP114 is no-fencing.
var LP114 = Rule{
	ID: "LP114", Name: "no-fencing", Severity: finding.Warning,
	Condition: "the guarded resource checks no fencing token",
	Why: "After a lease ends its old owner may still run, and a TTL can only make that rare. " +
		"Only a resource that refuses the older token makes a late write harmless.",
	Fix:     "--fencing yes when the resource refuses writes with an older token",
	Example: Example{Args: []string{"ttl", "--p999", "800ms", "--pause", "1.5s"}},
	Check: func(r Rule, c *Case) []finding.Finding {
		if c.In.Fencing == calc.FencingYes {
			return nil
		}
		message := "no fencing token: a late write of an old holder is not refused"
		if c.DoubleWrites > 0 {
			message += fmt.Sprintf("; up to %.2g possible double writes a day", c.DoubleWrites)
		}
		return []finding.Finding{r.says(message, "--fencing yes when the resource checks a token"+untilFenced(c))}
	},
}

// untilFenced is what an application does whose library never says that the
// lease is lost.
func untilFenced(c *Case) string {
	if _, told := c.In.Library.Loss(c.Lease.TTL); told || c.Planned || !c.HasLease || c.Setup.StopWork.Known {
		return ""
	}
	stop := calc.StopWork(c.In, c.worth())
	if stop <= 0 {
		return ""
	}
	when := dur.Format(down(stop))
	if !NeedPause.Met(c) {
		when += " less the longest pause"
	}
	return "; until then stop work " + when + " after the last confirmed acquire or renewal was sent: the library never says that the lease is lost"
}
