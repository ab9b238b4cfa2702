package plan

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// span is a duration from a microsecond to ten minutes, of any granularity; a
// margin may be 0.
func span(t *rapid.T, name string) time.Duration {
	if name == "margin" && rapid.IntRange(0, 9).Draw(t, "no margin") == 0 {
		return 0
	}
	return time.Duration(rapid.Int64Range(1_000, int64(10*time.Minute)).Draw(t, name))
}

// inputs are any inputs that Resolve accepts.
func inputs(t *rapid.T) calc.Inputs {
	hold := span(t, "hold")
	in := calc.Inputs{
		Hold: calc.Claim(hold, "--p999"), HoldP99: calc.Claim(hold/2, "--p99"), HoldP50: calc.Claim(hold/4, "--p50"),
		Pause: calc.Claim(span(t, "pause"), "--pause"),
		Mode:  rapid.SampledFrom([]calc.Mode{calc.Auto, calc.Fixed, calc.Renewed}).Draw(t, "mode"),
		Drift: calc.Ratio(rapid.Int64Range(0, int64(calc.One)/10).Draw(t, "drift")), DriftGiven: true,
		Failures: rapid.IntRange(0, 3).Draw(t, "failures"), FailuresGiven: true,
		Ratio: calc.Ratio(rapid.Int64Range(2*int64(calc.One), 8*int64(calc.One)).Draw(t, "ratio")), RatioGiven: true,
	}
	if rapid.Bool().Draw(t, "rtt given") {
		in.RTT = calc.Claim(span(t, "rtt"), "--rtt")
	} else {
		in.Margin = calc.Claim(span(t, "margin"), "--margin")
	}
	if rapid.Bool().Draw(t, "rto given") {
		in.RTO = calc.Claim(span(t, "rto"), "--rto")
	}
	if rapid.Bool().Draw(t, "backoff given") {
		in.Backoff = calc.Claim(span(t, "backoff"), "--retry-after")
	}
	if rapid.Bool().Draw(t, "deadline given") {
		in.Deadline = calc.Claim(span(t, "deadline"), "--deadline")
		in.Work, in.Reply = calc.Claim(span(t, "work"), "--work"), calc.Claim(span(t, "reply"), "--reply")
	}
	return in
}

func planned(t *rapid.T, in calc.Inputs) Plan {
	p, err := Make(in, Options{Rules: rule.Catalogue})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The terms that are summed add up to TTL_min, to the nanosecond.
func TestTermsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := planned(t, inputs(t))
		if p.TTLMin == nil {
			return
		}
		var total time.Duration
		for _, term := range p.Terms {
			if term.Summed {
				total += term.Bound.Value
			}
		}
		if total != *p.TTLMin {
			t.Fatalf("the terms add up to %s, TTL_min is %s", total, *p.TTLMin)
		}
	})
}

// Each relaxation of a duration is enough on its own; half the way is not.
func TestRelaxationsAreEnough(t *testing.T) {
	set := map[string]func(*calc.Inputs, time.Duration){
		"rto":      func(in *calc.Inputs, d time.Duration) { in.RTO.Value = d },
		"pause":    func(in *calc.Inputs, d time.Duration) { in.Pause.Value = d },
		"margin":   func(in *calc.Inputs, d time.Duration) { in.Margin = calc.Claim(d, "--margin") },
		"rtt":      func(in *calc.Inputs, d time.Duration) { in.RTT.Value = d },
		"deadline": func(in *calc.Inputs, d time.Duration) { in.Deadline.Value = d },
		"work":     func(in *calc.Inputs, d time.Duration) { in.Work.Value = d },
		"reply":    func(in *calc.Inputs, d time.Duration) { in.Reply.Value = d },
		"confirm":  func(in *calc.Inputs, d time.Duration) { in.Confirm = calc.Claim(d, "--confirm") },
		"p999": func(in *calc.Inputs, d time.Duration) {
			in.Hold.Value, in.HoldP99.Value, in.HoldP50.Value = d, min(in.HoldP99.Value, d), min(in.HoldP50.Value, d)
		},
	}
	rapid.Check(t, func(t *rapid.T) {
		in := inputs(t)
		p := planned(t, in)
		if p.Feasible {
			return
		}
		tooLate := func(p Plan) bool { return p.Acquire.Known && (p.Acquire.Wait <= 0 || p.Acquire.Wait < p.In.RTT.Value) }
		late := tooLate(p)
		for _, r := range p.Relaxations {
			if r.To == nil {
				continue
			}
			change, known := set[r.Input]
			if !known {
				t.Fatalf("nothing is known of --%s", r.Input)
			}
			relaxed, halfway := in, in
			change(&relaxed, *r.To)
			change(&halfway, *r.From+(*r.To-*r.From)/2)
			now, before := planned(t, relaxed), planned(t, halfway)
			if late && !p.Solution.Solved { // each kind answers for its own cause
				if !now.Solution.Solved && tooLate(now) {
					t.Fatalf("%s: still neither a lease nor a wait", r.Text)
				}
				continue
			}
			if !now.Feasible {
				t.Fatalf("%s: still infeasible: %v", r.Text, now.Findings)
			}
			if gap := max(*r.To-*r.From, *r.From-*r.To); before.Feasible && gap > *r.To/100+2*time.Millisecond {
				t.Fatalf("%s: half the way is enough", r.Text)
			}
		}
	})
}

// A feasible plan violates none of the rules about the lease and the layers.
func TestFeasiblePlansViolateNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := planned(t, inputs(t))
		if !p.Feasible {
			return
		}
		for _, f := range p.Findings {
			// LP305 needs contenders and LP204 looks at odd inputs, not at the plan.
			if f.Severity == finding.Error && f.ID != "LP204" {
				t.Fatalf("%s %s: %s", *p.TTL, f.ID, f.Message)
			}
		}
	})
}

// The JSON document reads back to itself, to the nanosecond.
func TestDocumentReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := planned(t, inputs(t)).Document()
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Document
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s reads back as %+v", text, got)
		}
	})
}

// The issue's own words: raise --rto to 3.7s, cut --pause to 300ms.
func TestRelaxationsInWords(t *testing.T) {
	in := calc.Inputs{Hold: calc.Claim(800*time.Millisecond, "--p999"), Pause: calc.Claim(1500*time.Millisecond, "--pause"),
		Margin: calc.Claim(700*time.Millisecond, "--margin"), RTO: calc.Claim(2500*time.Millisecond, "--rto")}
	p, err := Make(in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	for _, r := range p.Relaxations {
		texts[r.Text] = true
	}
	for _, want := range []string{"raise --rto to 3.7s", "cut --pause to 300ms", "cut --margin to 100ms"} {
		if !texts[want] {
			t.Errorf("no %q in %v", want, texts)
		}
	}
	// A long task under the same target: use renewals.
	in.Hold, in.HoldP99, in.RTO, in.Mode = calc.Claim(30*time.Minute, "--p999"), calc.Claim(20*time.Minute, "--p99"), calc.Claim(time.Minute, "--rto"), calc.Fixed
	if p, err = Make(in, Options{}); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, r := range p.Relaxations {
		found = found || r.Text == "use --mode renewed"
	}
	if !found {
		t.Errorf("renewals are not named in %v", p.Relaxations)
	}
	// A queue SLA of nothing is not a deadline's fault.
	in = calc.Inputs{Hold: calc.Claim(800*time.Millisecond, "--p999"), QueueSLA: calc.Claim(0, "--queue-sla")}
	if p, err = Make(in, Options{}); err != nil {
		t.Fatal(err)
	}
	if len(p.Relaxations) != 1 || p.Relaxations[0].Text != "raise --queue-sla to 1ms or more" {
		t.Errorf("relaxations %+v", p.Relaxations)
	}
}
