package rule

import (
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP405 is redelivery.
var LP405 = Rule{
	ID: "LP405", Name: "redelivery", Severity: finding.Error,
	Condition: "visibility <= h; warning: visibility <= h + P + M, or h within 1 % of it",
	Why: "A queue takes silence for death. It hands the message to a second worker while the first still works on it, " +
		"and again after each further timeout.",
	Fix:     "a visibility timeout above the hold, or one that the worker extends while it works",
	Example: Example{Args: []string{"check", "--visibility", "1h", "--p999", "2h"}},
	Needs: []Need{NeedHold,
		{"the visibility timeout (--visibility)", func(c *Case) bool { return c.Setup.Visibility.Known }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		visible, hold := c.Setup.Visibility, c.In.Hold.Value
		least := max(plus(hold, c.In.Pause.Value, c.In.Margin.Value), plus(hold, hold/99)) // h is 99 % of the latter
		fix := "a visibility timeout above " + dur.Format(up(least)) + ", or one that is extended"
		switch {
		case visible.Value <= hold:
			return []finding.Finding{r.found(visible, hold,
				"a message is delivered again after "+dur.Format(visible.Value)+", while its work of "+dur.Format(hold)+" still runs", fix)}
		case visible.Value <= least:
			f := r.found(visible, least,
				"a message is delivered again after "+dur.Format(visible.Value)+", "+dur.Format(visible.Value-hold)+
					" after its work of "+dur.Format(hold)+" is done: a pause, a slow reply or a run that is a little longer makes a second worker start it", fix)
			f.Severity = finding.Warning
			return []finding.Finding{f}
		}
		return nil
	},
}
