package library

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP643 is client-go-stops-too-late.
var LP643 = rule.Rule{
	ID: "LP643", Name: "client-go-stops-too-late", Severity: finding.Error,
	Condition: "floor(leaseDuration) <= retryPeriod + renewDeadline + stop + P; a warning while neither stop nor P is stated",
	Why: "A leader that lost the API server gives up retryPeriod + renewDeadline after its last success, not renewDeadline. " +
		"Where that is not before the end of the lease, two leaders run at once.",
	Fix:     "a shorter renewDeadline, or a longer leaseDuration",
	Example: rule.Example{Args: []string{"check", "--library", "client-go", "--set", "leaseDuration=15s", "--set", "renewDeadline=14s", "--set", "retryPeriod=2s"}},
}

func lp643(run *Running, granted time.Duration) {
	lease, renew, retry := run.Dur("leaseDuration"), run.Dur("renewDeadline"), run.Dur("retryPeriod")
	if lease <= renew {
		return // LP640 says it
	}
	stops := retry + renew + run.Setup.StopTime.Value + run.In.Pause.Value
	if granted > stops {
		return
	}
	found := run.sayLimit(LP643, "renewDeadline", stops, granted,
		"a cut-off leader stops up to "+f(stops)+" after its last renewal (retryPeriod + renewDeadline + stop + pause), the lease ends at "+f(granted),
		"a leaseDuration of "+f(stops.Truncate(time.Second)+time.Second)+", or a shorter renewDeadline")
	if run.In.Pause.Kind == calc.Assumed && !run.Setup.StopTime.Known {
		found.Severity = finding.Warning
	}
}
