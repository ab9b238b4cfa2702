package cmd

import (
	"math"

	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/sim"
)

// simulationSchema names the JSON of simulate.
const simulationSchema = "lockplan/simulation/v1"

type simulationDoc struct {
	Schema      string                 `json:"schema"`
	Library     string                 `json:"library"`
	Mode        string                 `json:"mode"`
	Feasible    bool                   `json:"feasible"`
	TTL         *plan.Seconds          `json:"ttl_seconds"`
	Seed        uint64                 `json:"seed"`
	Trials      uint64                 `json:"trials"`
	Kept        *bool                  `json:"promises_kept"`
	FalseExpiry *falseExpiryDoc        `json:"false_expiry"`
	Scenarios   []scenarioDoc          `json:"scenarios"`
	Contention  []contentionDoc        `json:"contention"`
	FailFast    []failFastDoc          `json:"waits"`
	Detect      *plan.Seconds          `json:"detect_seconds"`
	Findings    []plan.FindingDocument `json:"findings"`
	Trace       []string               `json:"trace"`
}

type falseExpiryDoc struct {
	Counted      float64  `json:"counted"`
	CountedLow   float64  `json:"counted_low"`
	CountedHigh  float64  `json:"counted_high"`
	Lost         uint64   `json:"lost"`
	Acquisitions uint64   `json:"acquisitions"`
	Rare         *float64 `json:"importance_sampled"`
	RareLow      *float64 `json:"importance_sampled_low"`
	RareHigh     *float64 `json:"importance_sampled_high"`
	Formula      float64  `json:"formula"`
	FormulaUpper float64  `json:"formula_upper"`
	Basis        string   `json:"basis"`
	Renewals     float64  `json:"renewals_per_second_and_holder"`
}

type scenarioDoc struct {
	Name             string        `json:"name"`
	What             string        `json:"what"`
	Factor           float64       `json:"factor"`
	Trials           uint64        `json:"trials"`
	Events           uint64        `json:"events"`
	Wanted           uint64        `json:"wanted"`
	Acquired         uint64        `json:"acquired"`
	GaveUp           uint64        `json:"gave_up"`
	Lost             uint64        `json:"lost"`
	LostShare        float64       `json:"lost_share"`
	LostLow          float64       `json:"lost_share_low"`
	LostHigh         float64       `json:"lost_share_high"`
	Overlaps         uint64        `json:"overlaps"`
	OverlapsFenced   uint64        `json:"overlaps_with_fencing"`
	Overlap          plan.Seconds  `json:"overlap_seconds"`
	OverlapWorst     plan.Seconds  `json:"overlap_worst_seconds"`
	OverlapForecast  *plan.Seconds `json:"overlap_predicted_seconds"`
	Cut              uint64        `json:"holds_cut"`
	Interrupted      uint64        `json:"interruptions"`
	Renewals         uint64        `json:"renewals"`
	RenewalsPer      float64       `json:"renewals_per_second_and_holder"`
	WaitP50          plan.Seconds  `json:"wait_p50_seconds"`
	WaitP99          plan.Seconds  `json:"wait_p99_seconds"`
	TakeoverP50      *plan.Seconds `json:"takeover_p50_seconds"`
	TakeoverP99      *plan.Seconds `json:"takeover_p99_seconds"`
	TakeoverWorst    *plan.Seconds `json:"takeover_worst_seconds"`
	TakeoverForecast *plan.Seconds `json:"takeover_predicted_seconds"`
	Predicted        *bool         `json:"predicted_to_fail"`
	Failed           bool          `json:"failed"`
	TrialsNeeded     *uint64       `json:"trials_needed"`
	Promises         []promiseDoc  `json:"promises"`
}

type promiseDoc struct {
	Text string `json:"promise"`
	Kept bool   `json:"kept"`
	Seen string `json:"seen"`
}

type contentionDoc struct {
	Keys        int           `json:"keys"`
	Utilisation float64       `json:"utilisation"`
	MeanWait    *float64      `json:"mean_wait_seconds"`
	WaitP50     *plan.Seconds `json:"wait_p50_seconds"`
	WaitP99     *plan.Seconds `json:"wait_p99_seconds"`
	Success     *float64      `json:"success"`
	Waiting     *float64      `json:"callers_waiting"`
	Taken       float64       `json:"utilisation_with_delay"`
}

type failFastDoc struct {
	Wait    plan.Seconds  `json:"wait_seconds"`
	WaitP99 *plan.Seconds `json:"wait_p99_seconds"`
	Success *float64      `json:"success"`
	Waiting *float64      `json:"callers_waiting"`
	Stuck   float64       `json:"callers_waiting_when_stuck"`
}

func simulationDocument(s simulation) simulationDoc {
	kept := s.answer() == nil
	d := simulationDoc{
		Schema: simulationSchema, Library: s.library, Mode: string(s.mode), Feasible: true, TTL: (*plan.Seconds)(&s.plan.Lease.TTL), Seed: s.seed, Trials: s.trials,
		Kept: &kept, Scenarios: []scenarioDoc{}, Contention: []contentionDoc{}, FailFast: []failFastDoc{}, Findings: plan.Documents(s.findings), Trace: s.story,
	}
	if d.Trace == nil {
		d.Trace = []string{}
	}
	if f := s.falsely; f != nil {
		d.FalseExpiry = &falseExpiryDoc{
			Counted: rounded(f.counted.Estimate()), CountedLow: rounded3(f.counted.Low), CountedHigh: rounded3(f.counted.High), Lost: f.counted.Hits,
			Acquisitions: f.counted.Trials, Formula: digits(f.formula.Estimate), FormulaUpper: digits(f.formula.Sampled), Basis: f.formula.Basis, Renewals: rounded(f.renewals),
		}
		if f.rare != nil {
			value, low, high := rounded3(f.rare.Value), rounded3(f.rare.Low), rounded3(f.rare.High)
			d.FalseExpiry.Rare, d.FalseExpiry.RareLow, d.FalseExpiry.RareHigh = &value, &low, &high
		}
	}
	for i := range s.results {
		d.Scenarios = append(d.Scenarios, scenarioDocument(s, &s.results[i]))
	}
	if len(s.contention) > 0 {
		d.Detect = (*plan.Seconds)(&s.detect.Value)
	}
	for _, c := range s.contention {
		row := contentionDoc{Keys: c.keys, Utilisation: rounded(c.utilisation), Taken: rounded(c.taken)}
		if !math.IsInf(c.meanWait, 1) {
			mean := rounded(c.meanWait)
			row.MeanWait = &mean
		}
		if c.played {
			p50, p99 := plan.Seconds(c.p50), plan.Seconds(c.p99)
			success, waiting := rounded(c.success), rounded(c.waiting)
			row.WaitP50, row.WaitP99, row.Success, row.Waiting = &p50, &p99, &success, &waiting
		}
		d.Contention = append(d.Contention, row)
	}
	for _, f := range s.failFast {
		row := failFastDoc{Wait: plan.Seconds(f.wait), Stuck: rounded(f.stuck)}
		if f.played {
			p99, success, waiting := plan.Seconds(f.p99), rounded(f.success), rounded(f.waiting)
			row.WaitP99, row.Success, row.Waiting = &p99, &success, &waiting
		}
		d.FailFast = append(d.FailFast, row)
	}
	return d
}

func scenarioDocument(s simulation, r *sim.Result) scenarioDoc {
	lost := sim.ShareOf(min(r.Lost, r.Acquired), r.Acquired)
	d := scenarioDoc{
		Name: r.Scenario.Name, What: r.Scenario.What, Factor: r.Factor, Trials: r.Trials, Events: r.Events, Wanted: r.Wanted, Acquired: r.Acquired, GaveUp: r.GaveUp,
		Lost: r.Lost, LostShare: rounded(lost.Estimate()), LostLow: rounded3(lost.Low), LostHigh: rounded3(lost.High),
		Overlaps: r.Overlaps, Overlap: plan.Seconds(r.OverlapTime), OverlapWorst: plan.Seconds(r.WorstOverlap), Cut: r.Cut, Interrupted: r.Interrupted,
		Renewals: r.Renewals, WaitP50: plan.Seconds(r.Wait.Quantile(0.5)), WaitP99: plan.Seconds(r.Wait.Quantile(0.99)),
		Predicted: r.Predicted, Failed: r.Failed(), Promises: []promiseDoc{},
	}
	if held := r.Held.Seconds(); held > 0 {
		d.RenewalsPer = rounded(float64(r.Renewals) / held)
	}
	if r.Takeover.Count() > 0 {
		p50, p99, worst := plan.Seconds(r.Takeover.Quantile(0.5)), plan.Seconds(r.Takeover.Quantile(0.99)), plan.Seconds(r.Takeover.Worst())
		forecast := plan.Seconds(s.plan.PredictedTakeover(r.Factor) - 1)
		d.TakeoverP50, d.TakeoverP99, d.TakeoverWorst, d.TakeoverForecast = &p50, &p99, &worst, &forecast
	}
	if r.Scenario.Name == "unwatched" {
		forecast := plan.Seconds(s.plan.LossOverlap(r.Factor))
		d.OverlapForecast = &forecast
	}
	if r.Needed > 0 {
		d.TrialsNeeded = &r.Needed
	}
	for _, p := range r.Promises {
		d.Promises = append(d.Promises, promiseDoc{p.Text, p.Kept, p.Seen})
	}
	return d
}

// scenarioRow is a scenario with what JSON has once for all of them.
type scenarioRow struct {
	scenarioDoc
	Feasible bool `json:"feasible"`
}

// simulationCSV has a row for each scenario and factor.
func simulationCSV(s simulation) [][]string {
	var documents []scenarioRow
	for i := range s.results {
		documents = append(documents, scenarioRow{scenarioDocument(s, &s.results[i]), true})
	}
	return csvOf(documents)
}

// unplayedDocument is the answer where there is no plan to play.
func unplayedDocument(o simulateOptions, p plan.Plan) simulationDoc {
	return simulationDoc{
		Schema: simulationSchema, Library: p.In.Library.Name(), Mode: p.Document().Mode, Seed: o.seed, Trials: o.trials,
		Scenarios: []scenarioDoc{}, Contention: []contentionDoc{}, FailFast: []failFastDoc{}, Findings: plan.Documents(p.Findings), Trace: []string{},
	}
}

// unplayedCSV has one row, which says nothing but that.
func unplayedCSV() [][]string {
	rows := csvOf([]scenarioRow{{}})
	for i := range rows[1] {
		if rows[0][i] != "feasible" {
			rows[1][i] = ""
		}
	}
	return rows
}
