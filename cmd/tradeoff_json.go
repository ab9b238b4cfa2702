package cmd

import (
	"fmt"

	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/tradeoff"
)

// tradeoffSchema names the JSON of tradeoff.
const tradeoffSchema = "lockplan/tradeoff/v1"

type tradeoffDoc struct {
	Schema      string                 `json:"schema"`
	Library     string                 `json:"library"`
	Mode        string                 `json:"mode"`
	Feasible    bool                   `json:"feasible"`
	TTLMin      *plan.Seconds          `json:"ttl_min_seconds"`
	TTLMax      *plan.Seconds          `json:"ttl_max_seconds"`
	Recommended *plan.Seconds          `json:"ttl_seconds"`
	Rows        []tradeoffRowDoc       `json:"rows"`
	Optimum     *optimumDoc            `json:"optimum"`
	Findings    []plan.FindingDocument `json:"findings"`
}

type tradeoffRowDoc struct {
	TTL               plan.Seconds  `json:"ttl_seconds"`
	Mode              string        `json:"mode"`
	Names             []string      `json:"names"`
	Recommended       bool          `json:"recommended"`
	Feasible          bool          `json:"feasible"`
	CoveredLow        *float64      `json:"hold_covered"`
	CoveredHigh       *float64      `json:"hold_covered_upper"`
	FalseExpiry       *float64      `json:"false_expiry_per_acquisition"`
	FalseExpiryLower  *float64      `json:"false_expiry_lower"`
	FalseExpiryUpper  *float64      `json:"false_expiry_upper"`
	AnyDependence     *float64      `json:"false_expiry_any_dependence"`
	Basis             string        `json:"false_expiry_basis"`
	PerDay            *float64      `json:"false_expiries_per_day"`
	PauseSurvived     plan.Seconds  `json:"pause_survived_seconds"`
	OutageSurvived    *plan.Seconds `json:"outage_survived_seconds"`
	TakeoverWorst     plan.Seconds  `json:"takeover_worst_seconds"`
	TakeoverMean      plan.Seconds  `json:"takeover_mean_seconds"`
	RTOSpare          *plan.Seconds `json:"rto_spare_seconds"`
	RenewalsPerSecond *float64      `json:"renewals_per_second"`
	CallersBlocked    *float64      `json:"callers_blocked_per_crash"`
	Verdict           string        `json:"verdict"`
}

type optimumDoc struct {
	TTL      plan.Seconds `json:"ttl_seconds"`
	Cost     float64      `json:"cost_per_day"`
	FlatFrom plan.Seconds `json:"flat_from_seconds"`
	FlatTo   plan.Seconds `json:"flat_to_seconds"`
	Free     plan.Seconds `json:"unbounded_ttl_seconds"`
	FreeCost float64      `json:"unbounded_cost_per_day"`
	Resolved bool         `json:"resolved"`
}

func tradeoffDocument(t tradeoffAnswer) tradeoffDoc {
	p := t.plan
	d := tradeoffDoc{
		Schema: tradeoffSchema, Library: p.In.Library.Name(), Mode: modeText(t), Feasible: p.Feasible,
		TTLMin: (*plan.Seconds)(p.TTLMin), TTLMax: (*plan.Seconds)(p.TTLMax), Recommended: (*plan.Seconds)(p.TTL),
		Rows: []tradeoffRowDoc{}, Findings: plan.Documents(p.Findings),
	}
	for _, r := range t.table.Rows {
		d.Rows = append(d.Rows, rowDocument(t, r))
	}
	if o := t.optimum; o != nil {
		d.Optimum = &optimumDoc{plan.Seconds(o.TTL), rounded(o.Cost), plan.Seconds(o.From), plan.Seconds(o.To), plan.Seconds(o.Free), rounded(o.FreeCost), !o.Unresolved}
	}
	return d
}

func rowDocument(t tradeoffAnswer, r tradeoff.Row) tradeoffRowDoc {
	d := tradeoffRowDoc{
		TTL: plan.Seconds(r.Lease.TTL), Mode: modeText(t), Names: r.Names, Recommended: r.Recommended, Feasible: r.Feasible,
		CoveredLow: roundedPtr(r.CoveredLow), CoveredHigh: roundedPtr(r.CoveredHigh), Basis: r.Risk.Basis, PerDay: roundedPtr(r.PerDay),
		PauseSurvived: plan.Seconds(r.PauseSurvived), OutageSurvived: (*plan.Seconds)(r.OutageSurvived),
		TakeoverWorst: plan.Seconds(r.TakeoverWorst), TakeoverMean: plan.Seconds(r.TakeoverMean),
		RTOSpare: (*plan.Seconds)(r.RTOSpare), RenewalsPerSecond: roundedPtr(r.RenewalsPerSecond),
		CallersBlocked: roundedPtr(r.CallersBlocked), Verdict: verdictText(r),
	}
	if d.Names == nil {
		d.Names = []string{}
	}
	if r.Risk.Known {
		estimate, lower, upper, most := digits(r.Risk.Estimate), rounded(r.Risk.Lower), digits(r.Risk.Sampled), digits(r.Risk.AnyDependence)
		d.FalseExpiry, d.FalseExpiryLower, d.FalseExpiryUpper, d.AnyDependence = &estimate, &lower, &upper, &most
	}
	return d
}

// noTradeoffDocument is the answer where there is no TTL to start from.
func noTradeoffDocument(p plan.Plan) tradeoffDoc {
	return tradeoffDoc{
		Schema: tradeoffSchema, Library: p.In.Library.Name(), Mode: p.Document().Mode,
		TTLMin: (*plan.Seconds)(p.TTLMin), TTLMax: (*plan.Seconds)(p.TTLMax),
		Rows: []tradeoffRowDoc{}, Findings: plan.Documents(p.Findings),
	}
}

// tradeoffCSV has a column for each value of a row, with its unit in the head.
func tradeoffCSV(t tradeoffAnswer) [][]string {
	var documents []tradeoffRowDoc
	for _, r := range t.table.Rows {
		documents = append(documents, rowDocument(t, r))
	}
	return csvOf(documents)
}

// writeTradeoffMarkdown prints both tables as one.
func (a *app) writeTradeoffMarkdown(t tradeoffAnswer) {
	fmt.Fprintf(a.out, "%s\n\n", markdownText(tradeoffHead(t)))
	risk, cost := riskRows(t), costRows(t)
	rows := make([][]string, len(risk))
	for i := range risk {
		rows[i] = append(append([]string{}, risk[i]...), cost[i][2:]...)
	}
	a.markdownTable([]string{"", "TTL", "holds that fit", "false expiry per acquisition", "at most", "a day", "pause survived",
		"outage survived", "worst takeover", "mean takeover", "RTO", "renewals per s", "callers blocked", "verdict"}, rows)
	for _, note := range append(riskNotes(t), optimumText(t)...) {
		fmt.Fprintf(a.out, "- %s\n", markdownText(note))
	}
}
