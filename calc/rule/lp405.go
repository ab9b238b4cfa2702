package rule

import (
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP405 is redelivery.
var LP405 = Rule{
	ID: "LP405", Name: "redelivery", Severity: finding.Error,
	Condition: "visibility <= h, where h is the function's timeout when no hold is known; warning: visibility <= h + P + M, or h within 1 % of it; info: visibility < 6 x the function's timeout",
	Why: "A queue takes silence for death. It hands the message to a second worker while the first still works on it, " +
		"and again after each further timeout. SQS in front of a Lambda function wants six times the function's timeout: it tries a batch again that was throttled.",
	Fix:     "a visibility timeout above the hold, or one that the worker extends while it works",
	Example: Example{Args: []string{"check", "--visibility", "1h", "--p999", "2h"}},
	Needs: []Need{
		{NeedHold.Text, func(c *Case) bool { return c.In.Hold.Finite() || c.Setup.KillAfter.Known }},
		{"the visibility timeout (--visibility)", func(c *Case) bool { return c.Setup.Visibility.Known }}},
	Check: func(r Rule, c *Case) []finding.Finding {
		visible, hold, limit := c.Setup.Visibility, c.In.Hold.Value, c.Setup.KillAfter
		if !c.In.Hold.Finite() {
			hold = limit.Value
		}
		least := max(plus(hold, c.In.Pause.Value, c.In.Margin.Value), plus(hold, hold/99)) // h is 99 % of the latter
		fix := "a visibility timeout above " + dur.Format(up(least)) + ", or one that is extended"
		switch {
		case visible.Value <= hold:
			return []finding.Finding{r.found(visible, hold,
				"a message is delivered again after "+again(visible.Value, hold)+", while its work of "+dur.Format(hold)+" still runs", fix)}
		case visible.Value <= least:
			f := r.found(visible, least,
				"a message is delivered again after "+dur.Format(visible.Value)+", "+dur.Format(visible.Value-hold)+
					" after its work of "+dur.Format(hold)+" is done: a pause, a slow reply or a run that is a little longer makes a second worker start it", fix)
			f.Severity = finding.Warning
			return []finding.Finding{f}
		case limit.Known && visible.Value < times(lambdaFactor, limit.Value):
			f := r.found(visible, times(lambdaFactor, limit.Value),
				"a visibility timeout of "+dur.Format(visible.Value)+" is below six times the function's limit of "+dur.Format(limit.Value)+", which SQS in front of Lambda asks for",
				"a visibility timeout of "+dur.Format(times(lambdaFactor, limit.Value))+" where the queue is SQS and the worker a Lambda function")
			f.Severity = finding.Info
			return []finding.Finding{f}
		}
		return nil
	},
}

// lambdaFactor is AWS's rule for a queue that feeds a Lambda function.
const lambdaFactor = 6

// again are the instants at which a message comes again while its work runs:
// the first three, and how many there are.
func again(visible, hold time.Duration) string {
	count := 1
	if visible > 0 {
		count = max(1, int((hold-1)/visible))
	}
	var at []string
	for i := range min(count, 3) {
		at = append(at, dur.Format(times(i+1, visible)))
	}
	text := strings.Join(at, ", ")
	if count > 3 {
		text += " and so on, " + strconv.Itoa(count) + " times"
	}
	return text
}
