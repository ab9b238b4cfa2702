package plan

import (
	"encoding/json"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// The schemas of the JSON contract.
const (
	Schema      = "lockplan/plan/v1"
	ListSchema  = "lockplan/plans/v1"
	nanoseconds = 9 // decimal places of a second
)

// Seconds is a duration as a JSON number of seconds, exact to the nanosecond.
type Seconds time.Duration

// MarshalJSON writes the shortest exact decimal.
func (s Seconds) MarshalJSON() ([]byte, error) { return []byte(dur.Seconds(time.Duration(s))), nil }

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Seconds) UnmarshalJSON(text []byte) error {
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	d, err := dur.Parse(string(text) + "s")
	if err != nil {
		return fault.Usagef("%s is no number of seconds with at most %d decimals", text, nanoseconds)
	}
	if negative {
		d = -d
	}
	*s = Seconds(d)
	return nil
}

// Document is a plan as the JSON contract has it, key by key.
type Document struct {
	Schema            string               `json:"schema"`
	Service           string               `json:"service"`
	Library           string               `json:"library"`
	Mode              string               `json:"mode"`
	Feasible          bool                 `json:"feasible"`
	TTLMin            *Seconds             `json:"ttl_min_seconds"`
	TTLMax            *Seconds             `json:"ttl_max_seconds"`
	TTL               *Seconds             `json:"ttl_seconds"`
	AcquireWait       *Seconds             `json:"acquire_wait_seconds"`
	AttemptTimeout    *Seconds             `json:"attempt_timeout_seconds"`
	AcquireAttempts   *int                 `json:"acquire_attempts"`
	RenewInterval     *Seconds             `json:"renew_interval_seconds"`
	RenewTimeout      *Seconds             `json:"renew_timeout_seconds"`
	RenewFailures     *int                 `json:"renew_failures_tolerated"`
	StopWork          *Seconds             `json:"stop_work_seconds"`
	MaxHold           *Seconds             `json:"max_hold_seconds"`
	TakeoverWorst     *Seconds             `json:"takeover_worst_seconds"`
	TakeoverMean      *Seconds             `json:"takeover_mean_seconds"`
	TakeoverClean     *Seconds             `json:"takeover_clean_seconds"`
	OutageSurvived    *Seconds             `json:"outage_survived_seconds"`
	PauseSurvived     *Seconds             `json:"pause_survived_seconds"`
	RenewalsPerSecond *float64             `json:"renewals_per_second"`
	FalseExpiry       *float64             `json:"false_expiry_per_acquisition"`
	FalseExpiryUpper  *float64             `json:"false_expiry_upper"`
	Inputs            []InputDocument      `json:"inputs"`
	Terms             []TermDocument       `json:"terms"`
	Findings          []FindingDocument    `json:"findings"`
	Relaxations       []RelaxationDocument `json:"relaxations"`
}

// InputDocument is an input as it was said, and where.
type InputDocument struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"`
	Kind   string `json:"kind"`
}

// TermDocument is a term as the JSON contract has it. An unbounded value is
// null.
type TermDocument struct {
	Name       string   `json:"name"`
	Formula    string   `json:"formula"`
	Value      *Seconds `json:"value_seconds"`
	Source     string   `json:"source"`
	Kind       string   `json:"kind"`
	Samples    *uint64  `json:"samples"`
	Confidence *float64 `json:"confidence"`
}

// FindingDocument is a finding as the JSON contract has it.
type FindingDocument struct {
	ID       string           `json:"id"`
	Severity finding.Severity `json:"severity"`
	Message  string           `json:"message"`
	Fix      string           `json:"fix"`
	Value    *Seconds         `json:"value_seconds"`
	Limit    *Seconds         `json:"limit_seconds"`
	File     *string          `json:"file"`
	Line     *int             `json:"line"`
}

// RelaxationDocument is a relaxation as the JSON contract has it.
type RelaxationDocument struct {
	Input string   `json:"input"`
	From  *Seconds `json:"from_seconds"`
	To    *Seconds `json:"to_seconds"`
	Text  string   `json:"text"`
}

// Document is the plan in the shape of the JSON contract.
func (p Plan) Document() Document {
	d := Document{
		Schema: Schema, Service: p.In.Service, Library: p.In.Library.Name(),
		Mode: string(p.Solution.Mode), Feasible: p.Feasible,
		TTLMin: (*Seconds)(p.TTLMin), TTLMax: (*Seconds)(p.TTLMax), TTL: (*Seconds)(p.TTL),
		AcquireWait: (*Seconds)(p.AcquireWait), AttemptTimeout: (*Seconds)(p.AttemptTimeout), AcquireAttempts: p.AcquireAttempts,
		RenewInterval: (*Seconds)(p.RenewInterval), RenewTimeout: (*Seconds)(p.RenewTimeout), RenewFailures: p.RenewFailures,
		StopWork: (*Seconds)(p.StopWork), MaxHold: (*Seconds)(p.MaxHold),
		TakeoverWorst: (*Seconds)(p.TakeoverWorst), TakeoverMean: (*Seconds)(p.TakeoverMean), TakeoverClean: (*Seconds)(p.TakeoverClean),
		OutageSurvived: (*Seconds)(p.OutageSurvived), PauseSurvived: (*Seconds)(p.PauseSurvived),
		RenewalsPerSecond: p.RenewalsPerSecond,
		FalseExpiry:       p.Risk.FalseExpiry, FalseExpiryUpper: p.Risk.Upper,
		Inputs: []InputDocument{}, Terms: []TermDocument{}, Findings: Documents(p.Findings), Relaxations: []RelaxationDocument{},
	}
	for _, in := range p.Inputs {
		d.Inputs = append(d.Inputs, InputDocument{in.Name, in.Value, in.Source, string(in.Kind)})
	}
	for _, t := range p.Terms {
		row := TermDocument{Name: t.Name, Formula: t.Formula, Source: t.Bound.Source, Kind: string(t.Bound.Kind)}
		if t.Bound.Finite() {
			row.Value = ptr(Seconds(t.Bound.Value))
		}
		if t.Bound.Samples > 0 {
			row.Samples = &t.Bound.Samples
			if !t.Bound.Longest {
				row.Confidence = &t.Bound.Confidence
			}
		}
		d.Terms = append(d.Terms, row)
	}
	for _, r := range p.Relaxations {
		d.Relaxations = append(d.Relaxations, RelaxationDocument{r.Input, (*Seconds)(r.From), (*Seconds)(r.To), r.Text})
	}
	return d
}

// Documents are findings in the shape of the JSON contract, never nil.
func Documents(found []finding.Finding) []FindingDocument {
	out := []FindingDocument{}
	for _, f := range found {
		row := FindingDocument{ID: f.ID, Severity: f.Severity, Message: f.Message, Fix: f.Fix,
			Value: (*Seconds)(f.Value), Limit: (*Seconds)(f.Limit)}
		if f.File != "" {
			row.File = &f.File
		}
		if f.Line > 0 {
			row.Line = &f.Line
		}
		out = append(out, row)
	}
	return out
}

// MarshalJSON writes the plan in the shape of the JSON contract.
func (p Plan) MarshalJSON() ([]byte, error) { return json.Marshal(p.Document()) }
