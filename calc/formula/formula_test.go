package formula_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/formula"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/docs/drift"
)

func TestPages(t *testing.T) { drift.Page(t, "../../docs/model.md", formula.Page()) }

// Every formula of the model is here, complete, and every name it mentions
// leads somewhere.
func TestEntries(t *testing.T) {
	var ids []string
	names := map[string]string{}
	claim := func(e formula.Entry, name string) {
		if other, taken := names[strings.ToLower(name)]; taken && other != e.ID {
			t.Errorf("%q finds both %s and %s", name, other, e.ID)
		}
		names[strings.ToLower(name)] = e.ID
		if got, ok := formula.Find(strings.ToUpper(name)); !ok || got.ID != e.ID {
			t.Errorf("Find(%q) = %q, want %s", name, got.ID, e.ID)
		}
	}
	check := func(e formula.Entry) {
		claim(e, e.ID)
		for _, name := range e.Also {
			claim(e, name)
		}
		if e.Title == "" || e.Why == "" || len(e.See) == 0 {
			t.Errorf("%s: an entry has a title, a reason and something to see", e.ID)
		}
		for _, name := range e.Symbols {
			if _, ok := formula.Meaning(name); !ok {
				t.Errorf("%s: symbol %q is not in the table", e.ID, name)
			}
		}
		for _, see := range e.See {
			_, found := formula.Find(see)
			if !found && !slices.ContainsFunc(rule.Catalogue, func(r rule.Rule) bool { return r.ID == see }) {
				t.Errorf("%s: %q is neither an entry nor a rule", e.ID, see)
			}
		}
	}
	for _, s := range formula.Sections {
		for _, e := range s.Entries {
			ids = append(ids, e.ID)
			check(e)
			if e.Formula == "" || e.Example == "" {
				t.Errorf("%s: a formula has a formula and an example", e.ID)
			}
		}
	}
	want := strings.Fields("F1 F2 R1 R2 R3 R4 R5 C1 C2 C3 C4 C5 O1 O2 A1 A2 A3 A4 A5 A6 H1 L1 L2 B1 B2 B3 B4 B5 B6 B7 B8 K1 K2 K3 K4")
	if !slices.Equal(ids, want) {
		t.Errorf("formulas %v, want %v", ids, want)
	}
	for i, e := range formula.Terms {
		check(e)
		if i > 0 && strings.ToLower(formula.Terms[i-1].ID) >= strings.ToLower(e.ID) {
			t.Errorf("term %q is out of order", e.ID)
		}
	}
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"f1": "F1", "LEASE": "lease", "Fencing-Token": "fencing token", "ttl_min": "F1",
		"stop work point": "stop-work point", "lease ttl": "TTL",
	} {
		got, _ := formula.Find(name)
		if got.ID != want {
			t.Errorf("Find(%q) = %q, want %q", name, got.ID, want)
		}
	}
	if e, ok := formula.Find("no such thing"); ok {
		t.Errorf("found %q", e.ID)
	}
}

// The numbers of every example come out of calc, or of the second method
// that stands beside them.
func TestExamples(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	claim := func(d time.Duration) calc.Bound { return calc.Claim(d, "test") }
	resolve := func(in calc.Inputs) calc.Inputs {
		t.Helper()
		in, err := in.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	seed := calc.Inputs{Hold: claim(800 * ms), Pause: claim(1500 * ms), Margin: claim(700 * ms)}
	fixed := calc.Solve(resolve(seed))
	long := seed
	long.Hold, long.HoldP99, long.Mode = claim(40*s), claim(20*s), calc.Renewed
	renewed := calc.Solve(resolve(long))
	longer := long
	longer.Hold = claim(30 * time.Minute)

	env := calc.Env{Pause: 1500 * ms, Margin: 700 * ms, Detect: 700 * ms}
	watchdog := calc.Lease{TTL: 30 * s, Interval: 10 * s, Call: 700 * ms, Spacing: 10 * s}
	worst, _, clean := fixed.Lease.Takeover(calc.Generic{}, env)

	target := seed
	target.RTO = claim(5 * s)
	task := longer
	task.RTO, task.Mode = claim(60*s), calc.Fixed
	pieces := calc.Solve(resolve(task))

	request := seed
	request.Deadline, request.Work, request.Reply = claim(1*s), claim(450*ms), claim(100*ms)
	wait := calc.SolveAcquire(resolve(request), 0).Wait

	included := seed
	included.HoldP50, included.PauseIncluded = claim(100*ms), true

	bucket := dist.Builder{}
	bucket.AddRange(200*ms, 400*ms, 99_850)
	bucket.AddRange(400*ms, 800*ms, 100)
	bucket.AddRange(800*ms, 1600*ms, 50)
	upper := bucket.Dist().Quantile(0.999)
	open := dist.Builder{}
	open.AddRange(0, 1*s, 9900)
	open.AddRange(1*s, dist.Inf, 100)
	if got := open.Dist().Quantile(0.999).Upper; got != dist.Inf {
		t.Errorf("B2: P99.9 is at most %v, want no bound", got)
	}
	stops := dist.Builder{}
	stops.AddRange(0, 120*ms, 9999)
	stops.AddRange(1500*ms, 1500*ms, 1)
	falsely := math.Exp(-10)

	for id, numbers := range map[string][]any{
		"F1": {seed.Hold.Value, seed.Pause.Value, seed.Margin.Value, fixed.TTLMin},
		"F2": {fixed.Lease.TTL, fixed.Lease.StopWork(env)},
		"R1": {renewed.TTLMin, renewed.Lease.Interval, renewed.Lease.Call},
		"R2": {watchdog.TTL, (watchdog.TTL - watchdog.Interval) / 2, calc.Chain(3*s, 3, 1500*ms)},
		"R3": {renewed.TTLMin, calc.Solve(resolve(longer)).TTLMin, 30 * time.Minute},
		"R4": {renewed.Lease.StopWork(env)},
		"R5": {int(watchdog.RenewalsPerSecond(1000))},
		"C1": {fmt.Sprint(watchdog.FailuresTolerated(env), " failure")},
		"C2": {watchdog.OutageSurvived(env), watchdog.TTL - env.Margin},
		"C3": {watchdog.PauseSurvived(env), fixed.Lease.PauseSurvived(resolve(seed).Env())},
		"C4": {watchdog.TTL - 5*s, watchdog.TTL + 5*s},
		"C5": {worst, clean},
		"O1": {calc.Solve(resolve(target)).TTLMax, fixed.TTLMin},
		"O2": {pieces.TTLMax, calc.Lease{TTL: pieces.TTLMax}.StopWork(env), calc.Checkpoints(resolve(task), pieces)},
		"A1": {wait},
		"A2": {fmt.Sprint(calc.Attempts(450*ms, 100*ms, 50*ms), " attempts"), calc.Chain(200*ms, 3, 200*ms)},
		"A3": {worst, calc.FailsAfterCrash(calc.Generic{}, fixed.Lease, env, wait)},
		"A4": {calc.LastWait(30, 200*ms)},
		"A5": {fmt.Sprint(100*2, " threads")},
		"A6": {1*s - 700*ms},
		"H1": {calc.MaxHold(resolve(long), renewed)},
		"L1": {15*s - 10*s},
		"L2": {"4s", 4 * s / 3 / ms * ms},
		"B1": {upper.Upper, upper.Interpolated},
		"B2": {1 * s},
		"B3": {dist.SamplesNeeded(0.99, 0.95), dist.SamplesNeeded(0.999, 0.95), dist.SamplesNeeded(0.9999, 0.95)},
		"B4": {(100*ms + 4*s) / 2},
		"B5": {fmt.Sprintf("about %.1f times", math.Pow(10, 0.5))},
		"B6": {400 + (900 - 400)},
		"B7": {calc.FixedMin(resolve(included)), fixed.TTLMin},
		"B8": {stops.Dist().Max().Upper, stops.Dist().Quantile(0.999).Upper},
		"K1": {fmt.Sprintf("%.3g", falsely)},
		"K2": {(10.0 - 5.0) / 10.0}, // 25 > 30 - u needs u above 5 of [0, 10)
		"K3": {fmt.Sprintf("%.0f a day", falsely*50*86400)},
		"K4": {int(50 * worst.Seconds())},
	} {
		e, ok := formula.Find(id)
		if !ok {
			t.Errorf("no formula %s", id)
		}
		for _, number := range numbers {
			text := fmt.Sprint(number)
			switch v := number.(type) {
			case time.Duration:
				text = dur.Format(v)
			case calc.Bound:
				text = dur.Format(v.Value)
			}
			if !strings.Contains(e.Example, text) {
				t.Errorf("%s: %q lacks %s", id, e.Example, text)
			}
		}
	}
}
