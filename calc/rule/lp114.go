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
	Condition: "the guarded resource checks no fencing token; information where it does and the library's lock gives none",
	Why: "After a lease ends its old owner may still run, and a TTL can only make that rare. " +
		"Only a resource that refuses the older token makes a late write harmless.",
	Fix:     "--fencing yes when the resource refuses writes with an older token",
	Example: Example{Args: []string{"ttl", "--p999", "800ms", "--pause", "1.5s"}},
	Check: func(r Rule, c *Case) []finding.Finding {
		if c.In.Fencing == calc.FencingYes {
			return r.tokenless(c)
		}
		message := "no fencing token: a late write of an old holder is not refused"
		if c.DoubleWrites > 0 {
			message += fmt.Sprintf("; up to %.2g possible double writes a day", c.DoubleWrites)
		}
		return []finding.Finding{r.says(message, "--fencing yes when the resource checks a token"+untilFenced(c))}
	},
}

// tokenless says where the token that a resource checks cannot come from: the
// lock of a library that gives none. Of a lock of no library nothing is known.
func (r Rule) tokenless(c *Case) []finding.Finding {
	name := c.In.Library.Name()
	if name == (calc.Generic{}).Name() || c.In.Library.Traits().Fencing {
		return nil
	}
	f := r.says("--fencing yes, and this lock of "+name+" gives no fencing token: the one that the resource checks comes from elsewhere",
		"a number that the application raises with each grant of the lock, where the resource is kept, or a library or a lock object that gives one (lockplan library list)")
	f.Severity = finding.Info
	return []finding.Finding{f}
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
