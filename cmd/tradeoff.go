package cmd

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/tradeoff"
	"github.com/lockplan/lockplan/profiles/input"
)

// tradeoffOptions are the inputs of a plan and what is asked of its table.
type tradeoffOptions struct {
	inputs        inputFlags
	plot          string
	optimise      bool
	costExpiry    string
	costBlocked   string
	crashRateText string
}

func newTradeoffCmd(a *app) *cobra.Command {
	var o tradeoffOptions
	cmd := &cobra.Command{
		Use:   "tradeoff",
		Short: "What each lease TTL costs: losses to slow holders against takeover of dead ones",
		Long: "tradeoff shows a row for each candidate TTL, from just under T_min to past T_max and\n" +
			"the rules of thumb: how often the lease is lost while its holder still works, and how\n" +
			"long a dead holder blocks the others. A longer lease is better at the one and worse\n" +
			"at the other.",
		Example: "  lockplan tradeoff --p99 200ms --p999 800ms --pause 1.5s --rto 5s --rate 50/s\n" +
			"  lockplan tradeoff --hold hold.prom --pauses gc.log --rtts ping.txt --rto 10s --plot ttl.png",
		RunE: func(cmd *cobra.Command, _ []string) error { return runTradeoff(a, o) },
	}
	o.inputs.register(cmd)
	cmd.Flags().StringVar(&o.plot, "plot", "", "also draw the table into this .svg or .png file")
	cmd.Flags().BoolVar(&o.optimise, "optimise", false, "find the TTL of least expected cost (needs --rate and the three costs)")
	cmd.Flags().StringVar(&o.costExpiry, "cost-false-expiry", "", "cost of one lease that is lost to a slow holder")
	cmd.Flags().StringVar(&o.costBlocked, "cost-blocked-second", "", "cost of one second in which a dead holder blocks the key")
	cmd.Flags().StringVar(&o.crashRateText, "crash-rate", "", "holders that die, such as 2/d")
	return cmd
}

// tradeoffAnswer is everything that is printed.
type tradeoffAnswer struct {
	plan    plan.Plan
	table   *tradeoff.Table
	curve   []tradeoff.Row
	costs   *tradeoff.Costs
	optimum *tradeoff.Optimum
}

func runTradeoff(a *app, o tradeoffOptions) error {
	costs, err := o.costs()
	if err != nil {
		return err
	}
	if ext := filepath.Ext(o.plot); o.plot != "" && ext != ".svg" && ext != ".png" {
		return fault.Usagef("--plot %s: the name ends neither in .svg nor in .png", o.plot).Hintf("--plot ttl.svg")
	}
	got, p, err := a.planOf(o.inputs)
	if err != nil {
		return err
	}
	if p.In.Detect.Unbounded { // each figure of a takeover would leave it out
		message, hint := lacking(calc.LackDetect)
		return verdict{exitNotKnown, message, hint}
	}
	if !p.Enough() || p.TTLMin == nil {
		if err := a.writeNoTradeoff(p); err != nil {
			return err
		}
		return answer(p)
	}
	t := tradeoffAnswer{plan: p, table: tradeoff.Make(p.In, p.Solution, evidence(got)), costs: costs}
	for i := range t.table.Rows { // a TTL that fits is no plan where callers have no time to wait for it
		t.table.Rows[i].Recommended = t.table.Rows[i].Recommended && p.Feasible
	}
	t.curve = t.table.Curve(curvePoints)
	if costs != nil {
		if p.In.AcquireRate == 0 {
			return fault.Usagef("--optimise weighs losses a day, and the rate of acquisitions is not known").Hintf("--rate 50/s")
		}
		best, ok := t.table.Optimise(*costs)
		if !ok && p.Feasible {
			return fault.NoDataf("--optimise: %s", t.table.Rows[0].Risk.Basis).Hintf("--pauses gc.log says how often and how long the process stops")
		}
		if ok {
			t.optimum = &best
			t.table.Add(best)
		}
	}
	if err := a.writeTradeoff(t); err != nil {
		return err
	}
	if o.plot != "" {
		var picture bytes.Buffer
		if err := tradeoffChart(t).Write(&picture, o.plot); err != nil {
			return err
		}
		if err := writeWhole(o.plot, picture.Bytes()); err != nil {
			return err
		}
	}
	return answer(p)
}

// curvePoints are how many TTLs a chart is drawn from.
const curvePoints = 60

// costs reads the flags of --optimise; nil without it.
func (o tradeoffOptions) costs() (*tradeoff.Costs, error) {
	said := []struct{ flag, text string }{
		{"cost-false-expiry", o.costExpiry}, {"cost-blocked-second", o.costBlocked}, {"crash-rate", o.crashRateText},
	}
	for _, s := range said {
		switch {
		case o.optimise && s.text == "":
			return nil, fault.Usagef("--optimise needs --%s", s.flag).Hintf("--optimise --cost-false-expiry 50 --cost-blocked-second 2 --crash-rate 1/d")
		case !o.optimise && s.text != "":
			return nil, fault.Usagef("--%s is used by --optimise only", s.flag).Hintf("add --optimise")
		}
	}
	if !o.optimise {
		return nil, nil
	}
	var c tradeoff.Costs
	var err error
	if c.FalseExpiry, err = amount("cost-false-expiry", o.costExpiry); err != nil {
		return nil, err
	}
	if c.BlockedSecond, err = amount("cost-blocked-second", o.costBlocked); err != nil {
		return nil, err
	}
	if c.CrashRate, err = input.ParseRate(o.crashRateText); err != nil {
		return nil, fault.Usagef("--crash-rate: %s", err).Hintf("holders that die a day, such as 2/d")
	}
	if c.FalseExpiry == 0 && float64(c.BlockedSecond*c.CrashRate) == 0 {
		return nil, fault.Usagef("--optimise: neither a lost lease nor a dead holder costs anything, so nothing decides").
			Hintf("--optimise --cost-false-expiry 50 --cost-blocked-second 2 --crash-rate 1/d")
	}
	return &c, nil
}

// amount is a sum of money, whatever the currency.
func amount(flag, text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v < 0 || v > 1e15 || strings.ContainsAny(text, "xXpP_") {
		return 0, fault.Usagef("--%s %q is no amount from 0 to 1e15", flag, text).Hintf("a plain number, such as 2.5")
	}
	return v, nil
}

// writeTradeoff prints the answer in the form of -o.
func (a *app) writeTradeoff(t tradeoffAnswer) error {
	switch a.output {
	case "json", "yaml":
		return a.writeDocument(tradeoffDocument(t))
	case "csv":
		for _, line := range optimumText(t) { // the table has its TTL only
			fmt.Fprintln(a.err, "lockplan: note: "+line)
		}
		return a.writeCSV(tradeoffCSV(t))
	case "markdown":
		a.writeTradeoffMarkdown(t)
	default:
		a.writeTradeoffTable(t)
	}
	return nil
}

// writeNoTradeoff prints in the form of -o that there is no TTL to start from.
func (a *app) writeNoTradeoff(p plan.Plan) error {
	switch a.output {
	case "json", "yaml":
		return a.writeDocument(noTradeoffDocument(p))
	case "csv":
		return a.writeCSV(csvOf([]tradeoffRowDoc{{}})[:1])
	case "markdown":
		a.writePlanMarkdown(p)
	default:
		a.writeFindings(p.Findings)
	}
	return nil
}

// optimumText says what --optimise found.
func optimumText(t tradeoffAnswer) []string {
	if t.costs == nil || t.optimum == nil {
		return nil
	}
	o := t.optimum
	lines := []string{
		fmt.Sprintf("least expected cost: %s a day at a TTL of %s", money(o.Cost), short(o.TTL)),
	}
	if o.From < o.To {
		lines = append(lines, fmt.Sprintf("flat: from %s to %s it is at most a tenth more", short(o.From), short(o.To)))
	}
	if o.Unresolved {
		lines = append(lines, "below 1e-15 the false expiry is not resolved: at these costs a longer TTL may cost less still")
	}
	if o.FreeCost < 0.99*o.Cost {
		lines = append(lines, fmt.Sprintf("without T_min and RTO it would be %s a day at %s", money(o.FreeCost), short(o.Free)))
	}
	return lines
}

func money(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
