package cmd

import (
	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
)

// ttlOptions are the inputs of one plan.
type ttlOptions struct{ inputs inputFlags }

func newTTLCmd(a *app) *cobra.Command {
	var o ttlOptions
	cmd := &cobra.Command{
		Use:   "ttl",
		Short: "How long the lease must be, and every other clock",
		Long: "ttl computes TTL_min and shows how it adds up, then the other clocks of the lock.\n" +
			"Inputs are flags, LOCKPLAN_* variables and a profile's presets, in that order.",
		Example: "  lockplan ttl --p999 800ms --pause 1.5s\n" +
			"  lockplan ttl --hold hold.prom --metric lock_hold_seconds --pauses gc.log --rtts ping.txt --rto 5s",
		RunE: func(*cobra.Command, []string) error { return runTTL(a, o) },
	}
	o.inputs.register(cmd)
	return cmd
}

func runTTL(a *app, o ttlOptions) error {
	_, p, err := a.planOf(o.inputs)
	if err != nil {
		return err
	}
	if err := a.writePlan(p); err != nil {
		return err
	}
	return answer(p)
}

// writePlan prints one plan in the form of -o.
func (a *app) writePlan(p plan.Plan) error {
	switch a.output {
	case "json", "yaml":
		return a.writeDocument(p.Document())
	case "csv":
		return a.writePlansCSV([]plan.Plan{p})
	case "markdown":
		a.writePlanMarkdown(p)
	default:
		a.writePlanTable(p)
	}
	return nil
}

// answer is nil when the plan holds, else the verdict with its exit code.
func answer(p plan.Plan) error {
	name := ""
	if p.In.Service != "" {
		name = p.In.Service + ": "
	}
	worst, worstID, message, hint := finding.Info, "", "", ""
	for _, f := range p.Findings { // sorted: the worst comes first
		if f.Severity == finding.Error {
			worst, worstID, message, hint = f.Severity, f.ID, f.ID+": "+placeOf(f)+f.Message, f.Fix
			break
		}
	}
	switch {
	case !p.Enough():
		if message == "" {
			message, hint = lacking(p.Solution.Lacks[0])
		}
		return verdict{exitNotKnown, name + message, hint}
	case !p.Feasible || worst == finding.Error:
		if message == "" {
			message = "there is no plan"
		}
		if lifts, found := p.Lifts(worstID); found {
			hint = lifts.Text
		}
		return verdict{exitNo, name + message, hint}
	}
	return nil
}

// lacking says what has no bound, and what to give.
func lacking(what calc.Lack) (message, hint string) {
	const unbounded = "not enough data: no bound on "
	switch what {
	case calc.LackHoldP99:
		return unbounded + "the hold at P99, on which the maximum hold rests", "--max-hold 10m states the longest that is allowed"
	case calc.LackPause:
		return unbounded + "the process pause", "--pause 1.5s"
	case calc.LackDetect:
		return unbounded + "the time until the next run of the schedule, on which the takeover rests", "--detect 15m, the period of the schedule, or with emit --set period=15m"
	case calc.LackRTT:
		return unbounded + "the round trip", "--rtt 20ms, or --margin 700ms"
	}
	return unbounded + "the hold", "--p999 800ms, or --mode renewed with a --max-hold"
}
