package library

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/calc/rule"
)

// services are resolved inputs of one service that uses lib, with everything
// stated that a rule asks for.
func services(t *rapid.T, lib Library) calc.Inputs {
	ms := func(name string, least, most int) time.Duration {
		return time.Duration(rapid.IntRange(least, most).Draw(t, name)) * time.Millisecond
	}
	us := func(name string, least, most int) time.Duration {
		return time.Duration(rapid.IntRange(least, most).Draw(t, name)) * time.Microsecond
	}
	hold := ms("hold", 5, 60_000)
	in := calc.Inputs{
		Library: lib, Service: "checkout-stock",
		Hold: calc.Claim(hold, "--p999"), HoldP99: calc.Claim(hold/2, "--p99"),
		Pause:    calc.Claim(ms("pause", 0, 5000), "--pause"),
		Mode:     rapid.SampledFrom([]calc.Mode{calc.Fixed, calc.Renewed}).Draw(t, "mode"),
		Failures: rapid.IntRange(0, 1).Draw(t, "failures"), FailuresGiven: true,
		Reply: calc.Claim(10*time.Millisecond, "--reply"), Fencing: calc.FencingYes,
	}
	if rapid.Bool().Draw(t, "measured network") {
		in.RTT, in.Jitter, in.Sched = calc.Claim(us("rtt", 200, 200_000), "--rtt"), calc.Claim(us("jitter", 0, 50_000), "--jitter"), calc.Claim(ms("sched", 50, 200), "--sched")
	} else {
		in.Margin = calc.Claim(us("margin", 50_000, 1_500_000), "--margin")
	}
	if rapid.Bool().Draw(t, "deadline") {
		in.Deadline, in.Work = calc.Claim(ms("deadline", 500, 30_000), "--deadline"), calc.Claim(ms("work", 10, 400), "--work")
	}
	if rapid.Bool().Draw(t, "rto") {
		in.RTO = calc.Claim(ms("rto", 5000, 300_000), "--rto")
	}
	got, err := in.Resolve()
	if err != nil {
		t.Skip(err)
	}
	return got
}

func wanted(t *rapid.T, lib Library) Wanted {
	in := services(t, lib)
	sol := calc.Solve(in)
	acquire := calc.SolveAcquire(in, 0)
	if !sol.Solved || acquire.Known && acquire.Wait <= 0 {
		t.Skip("infeasible")
	}
	return Wanted{In: in, Lease: sol.Lease, Acquire: acquire, MaxHold: calc.MaxHold(in, sol)}
}

// TestEmitted: what a fitted plan says in every form is read back as the same
// values, breaks no rule, and stands on the safe side of its rounding.
func TestEmitted(t *testing.T) {
	for _, name := range append(Names(), "redisson@3.43", "redisson@3.47", "redisson@3.52", "redis-py@7.0", "spring-integration@6.3") {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fitted, refused := 0, map[string]int{}
			rapid.Check(t, func(t *rapid.T) {
				w := wanted(t, lib)
				got, err := Fit(lib, w)
				if err != nil {
					refused[err.Error()]++
					return
				}
				fitted++
				safeSide(t, w, got)
				if a := got.Verdict.Consequences.AcquireWorst; w.Acquire.Known && a != nil && *a > w.Acquire.Wait {
					t.Fatalf("an acquire takes up to %s of %s", *a, w.Acquire.Wait)
				}
				for _, form := range lib.Sheet().Formats {
					if form == "flags" && !flagged(got) { // refused
						continue
					}
					text, err := Render(got, w.In.Service, form, "")
					if err != nil {
						t.Fatalf("%s: %v", form, err)
					}
					if err := Merged(got, w.In, "emitted"+Extension(form), "", text); err != nil {
						t.Fatalf("%s: %v\n%s", form, err, text)
					}
					again, err := Render(got, w.In.Service, form, text)
					if err != nil || again != text {
						t.Fatalf("%s: a second emit changes the file (%v):\n%s\n---\n%s", form, err, text, again)
					}
					readBack(t, lib, w, got, form, text)
				}
			})
			t.Logf("%d fitted, refused: %v", fitted, refused)
			if fitted < 20 && !testing.Short() { // rapid draws fewer with -short
				t.Errorf("only %d plans were expressed", fitted)
			}
		})
	}
}

func readBack(t *rapid.T, lib Library, w Wanted, got Fitted, form, text string) {
	values, err := Parse(lib, "emitted"+Extension(form), []byte(text))
	if err != nil {
		t.Fatalf("%s does not read back: %v\n%s", form, err, text)
	}
	for _, s := range got.Settings {
		if v := values[s.Key].Text; v != s.Text && strings.Trim(v, `'"`) != s.Text {
			t.Fatalf("%s: %s is read back as %q, emitted as %q\n%s", form, s.Key, v, s.Text, text)
		}
	}
	in := w.In
	v, err := Judge(&Running{Library: lib, Values: values, In: in})
	if err != nil {
		t.Fatalf("%s: %v", form, err)
	}
	p, err := plan.Make(in, plan.Options{Rules: rule.Catalogue})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range v.Findings {
		planned := slices.ContainsFunc(p.Findings, func(p finding.Finding) bool { return p.ID == f.ID && p.Severity == f.Severity })
		// The wait of a deadline is the plan's, and a library that overruns its
		// own can wait for less of it.
		shorter := f.ID == "LP304" && in.Deadline.Known
		// A waiter of PUB_SUB_LOCK may wait for a whole lease, and one of
		// client-go's polls by a period that is chosen when it is written: a plan
		// does not know, and less of the RTO may be left for a lease.
		_, polls := lib.(clientGo)
		later := f.ID == "LP119" && (polls || v.Run.In.Detect.Value > in.Detect.Value)
		if !planned && !shorter && !later {
			t.Fatalf("%s: %s %s, of which the plan says nothing: %s\n%s", form, f.Severity, f.ID, f.Message, text)
		}
	}
}

// safeSide: the lease is not shorter than planned, renewals are not rarer,
// and the stop-work point leaves a pause and a margin.
func safeSide(t *rapid.T, w Wanted, got Fitted) {
	l := got.Verdict.Run.Lease
	lib := got.Verdict.Run.Library
	if lib.FreeMin(l.TTL) < w.Lease.TTL {
		t.Fatalf("others may own the lock after %s, planned is %s", lib.FreeMin(l.TTL), w.Lease.TTL)
	}
	if l.Renews() != w.Lease.Renews() {
		t.Fatalf("renews: %v, planned %v", l.Renews(), w.Lease.Renews())
	}
	// Raising a TTL raises its interval with it; what must hold is R1 and R2
	// with the library's own schedule, which the verdict has checked, and the
	// ratio here.
	if l.Renews() && l.Interval*1000 > l.TTL*1000/2 {
		t.Fatalf("a renewal every %s of %s", l.Interval, l.TTL)
	}
	for _, s := range got.Settings {
		if s.Key != "application.stopWork" {
			continue
		}
		stop, err := time.ParseDuration(s.Text)
		if err != nil || stop <= 0 || stop > lib.FreeMin(l.TTL)-w.In.Pause.Value-w.In.Margin.Value {
			t.Fatalf("stop work at %s of a lease of %s (%v)", s.Text, l.TTL, err)
		}
	}
	if w.In.RTO.Known && *got.Verdict.Consequences.TakeoverWorst > w.In.RTO.Value {
		t.Fatalf("takeover %s misses the RTO %s", *got.Verdict.Consequences.TakeoverWorst, w.In.RTO.Value)
	}
}
