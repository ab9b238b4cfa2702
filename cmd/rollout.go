package cmd

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rollout"
	"github.com/lockplan/lockplan/calc/rule"
)

func newRolloutCmd(a *app) *cobra.Command {
	var services []string
	cmd := &cobra.Command{
		Use:   "rollout OLD NEW",
		Short: "The safe order of steps from one plan to another",
		Long: "rollout compares two plan files, or two plans written with -o json, and orders what\n" +
			"differs so that old and new processes can run side by side during every step. Each\n" +
			"step is finished in every process, and the holds that began before it have ended,\n" +
			"before the next one begins.",
		Example: "  lockplan rollout lockplan.yaml lockplan.next.yaml\n" +
			"  lockplan plan -o json > running.json && lockplan rollout running.json lockplan.yaml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fault.Usagef("two plans are needed, not %d", len(args)).Hintf("lockplan rollout OLD NEW")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runRollout(a, args[0], args[1], services) },
	}
	cmd.Flags().StringArrayVar(&services, "service", nil, "only this service (repeatable)")
	return cmd
}

// route is one service on its way from one plan to the other.
type route struct {
	service  string
	place    rule.Place // in NEW
	from, to rollout.Side
	steps    []rollout.Step
	conflict *rollout.Conflict
	// first and last are what the old and the new state break by themselves.
	first, last []rollout.Violation
	only        string // "added" or "removed": there is nothing to order
}

func runRollout(a *app, before, after string, services []string) error {
	was, err := a.readSides(before, services)
	if err != nil {
		return err
	}
	is, err := a.readSides(after, services)
	if err != nil {
		return err
	}
	var routes []route
	for _, to := range is {
		r := route{service: to.name, place: to.place, to: to.Side}
		i := slices.IndexFunc(was, func(s side) bool { return s.name == to.name })
		if i < 0 && len(was) == 1 && len(is) == 1 && (was[0].name == "" || to.name == "") {
			i = 0 // a plan of ttl names no service
		}
		if i < 0 {
			r.only = "added"
			_, r.last = rollout.Ends(r.to, r.to)
		} else {
			r.from = was[i].Side
			r.steps, r.conflict = rollout.Order(r.from, r.to)
			r.first, r.last = rollout.Ends(r.from, r.to)
			was = slices.Delete(was, i, i+1)
		}
		routes = append(routes, r)
	}
	for _, from := range was {
		routes = append(routes, route{service: from.name, only: "removed"})
	}
	if err := a.writeRoutes(routes); err != nil {
		return err
	}
	for _, r := range routes {
		for _, f := range r.findings() {
			if f.Severity == finding.Error {
				return verdict{exitNo, f.ID + ": " + f.Message, f.Fix}
			}
		}
	}
	return nil
}
