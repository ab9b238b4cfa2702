package rule

import (
	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP208 is assumed-input.
var LP208 = Rule{
	ID: "LP208", Name: "assumed-input", Severity: finding.Warning,
	Condition: "a default stands in for a measurement",
	Why:       "The sum is only as good as its terms, and this one was not measured on your network or your runtime.",
	Fix:       "measure it, or state it: a value that is given is no longer assumed",
	Example:   Example{Args: []string{"ttl", "--p999", "800ms", "--pause", "1.5s"}},
	Check: func(r Rule, c *Case) []finding.Finding {
		var found []finding.Finding
		for _, in := range []struct {
			bound     calc.Bound
			what, fix string
		}{
			{c.In.Pause, "process pause budget", "--pause 1.5s, or --pauses gc.log"},
			{c.In.Margin, "network margin", "--rtts ping.txt, --rtt 20ms, or --margin 700ms"},
			{c.In.Reply, "reserve for the reply", "--reply 100ms"},
		} {
			if in.bound.Known && in.bound.Kind == calc.Assumed {
				f := r.says("the "+in.what+" of "+dur.Format(in.bound.Value)+" is assumed", in.fix)
				f.Value = finding.Of(in.bound.Value)
				found = append(found, f)
			}
		}
		return found
	},
}
