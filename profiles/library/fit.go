package library

import (
	"fmt"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// Fitted is a plan in a library's keys, read back and checked (L2).
type Fitted struct {
	Library  Library
	Settings []Setting // the library's, then the application's
	Verdict  Verdict
	// Raised is the TTL of the plan where the library needed a longer one.
	Raised *time.Duration
}

// Wanted is the plan to express.
type Wanted struct {
	In      calc.Inputs // resolved
	Lease   calc.Lease
	Acquire calc.Acquire
	MaxHold calc.Bound
	Given   Values // keys that the surroundings fix
}

// steps by which a TTL grows until the library can keep the plan's promises.
const fitSteps = 80

// Fit writes a plan in the library's keys and checks what was written as if
// somebody ran it. Where rounding, clamping or the library's own schedule
// breaks a promise it tries longer TTLs, as far as the recovery target
// allows. Its error says why nothing fits and what the nearest plan is.
func Fit(lib Library, w Wanted) (Fitted, error) {
	got, why := fit(lib, w)
	if why == "" {
		return got, nil
	}
	err := fault.Usagef("%s cannot keep this plan: %s", lib.Name(), why)
	for _, relaxed := range []struct {
		flag string
		in   func(*calc.Inputs) bool
	}{
		{"", func(in *calc.Inputs) bool { in.RTO = calc.Bound{}; return w.In.RTO.Known }},
		{"", func(in *calc.Inputs) bool { in.Failures = 0; return w.In.Failures > 0 }},
	} {
		near := w
		if !relaxed.in(&near.In) {
			continue
		}
		if alt, no := fit(lib, near); no == "" {
			c := alt.Verdict.Consequences
			if w.In.RTO.Known && !near.In.RTO.Known {
				return got, err.Hintf("the nearest it can: a TTL of %s, free %s after a crash: --rto %s", f(*c.TTL), f(*c.TakeoverWorst), f(*c.TakeoverWorst))
			}
			return got, err.Hintf("the nearest it can: a TTL of %s with --failures %d", f(*c.TTL), near.In.Failures)
		}
	}
	return got, err.Hintf("another --library, see lockplan library compare")
}

func fit(lib Library, w Wanted) (got Fitted, why string) {
	got, why = fitCalls(lib, w, false)
	if why == "" {
		return got, ""
	}
	if tight, no := fitCalls(lib, w, true); no == "" {
		return tight, ""
	}
	return got, why
}

// fitCalls tries longer TTLs, with renew calls as planned or, tight, shorter.
func fitCalls(lib Library, w Wanted, tight bool) (got Fitted, why string) {
	lease := w.Lease
	for range fitSteps {
		asked := ask(w, lease)
		asked.Tight = tight
		settings, err := lib.Express(asked)
		if err != nil {
			if why == "" {
				why = err.Error()
			}
		} else {
			got, err := read(lib, w, settings)
			if err != nil {
				return got, err.Error()
			}
			broken := slices.IndexFunc(got.Verdict.Findings, func(f finding.Finding) bool { return f.Severity == finding.Error })
			if broken < 0 {
				if lease.TTL != w.Lease.TTL {
					got.Raised = &w.Lease.TTL
				}
				return got, ""
			}
			first := got.Verdict.Findings[broken]
			if why == "" {
				why = first.ID + ": " + first.Message
			}
			if tooLong := first.ID == rule.LP102.ID; tooLong {
				return got, why
			}
		}
		lease = longer(lib, w.In, lease)
	}
	return got, why
}

// longer is the lease of the next TTL to try.
func longer(lib Library, in calc.Inputs, l calc.Lease) calc.Lease {
	traits := lib.Traits()
	step := max(l.TTL/20, time.Millisecond)
	if q := traits.Quantum; q > 0 && step%q != 0 {
		step += q - step%q
	}
	l.TTL += step
	if !l.Renews() {
		return l
	}
	return calc.RenewedLease(in, l.TTL)
}

// callAfterCall is the longest renew call that a lease has room for whose
// timer starts when a call ended: the one before, each failed one and the good
// one take their time, of which the one before has at most the margin (R1).
func callAfterCall(ask Ask) time.Duration {
	k, l := time.Duration(ask.In.Failures+1), ask.Lease
	slack := l.Worth(ask.In.Drift) - ask.In.Pause.Value - ask.In.Margin.Value - k*l.Interval
	call := slack / (k + 1)
	if call > ask.In.Margin.Value {
		call = (slack - ask.In.Margin.Value) / k
	}
	return min(call, l.Interval/2)
}

func ask(w Wanted, l calc.Lease) Ask {
	a := Ask{In: w.In, Lease: l, Attempt: w.In.Margin.Value, StopWork: calc.StopWork(w.In, l), Given: w.Given}
	if w.Acquire.Known {
		a.Wait = w.Acquire.Wait
		if w.In.Deadline.Known { // a wait of the whole budget is too long (A1)
			a.Wait = (a.Wait - 1).Truncate(time.Millisecond)
		}
		a.Attempt = min(w.Acquire.Attempt, max(a.Wait, time.Millisecond))
	}
	if l.Renews() {
		a.MaxHold = max(w.MaxHold.Value, l.TTL)
	}
	return a
}

// read judges settings as if somebody ran them, with the limits that the
// application keeps beside them.
func read(lib Library, w Wanted, settings []Setting) (Fitted, error) {
	a := ask(w, w.Lease)
	values := Values{}
	for _, s := range settings {
		values[s.Key] = Value{Text: s.Text}
	}
	in := w.In
	in.FailuresGiven = true
	got := Fitted{Library: lib, Settings: settings}
	// The stop-work point is that of the lease as the library gives it.
	first := &Running{Library: lib, Values: values, In: in}
	v, err := Judge(first)
	if err != nil {
		return got, err
	}
	if !v.Run.HasLease {
		return got, fault.Usagef("%s makes no lease of it", lib.Name())
	}
	stop := calc.StopWork(v.Run.In, v.Run.Lease)
	got.Settings = append(got.Settings, Setting{"application.stopWork", GoText.Format(floorText(stop)), "S: T - P - M, from when the last confirmed acquire or renewal was sent"})
	if v.Run.Lease.Renews() {
		got.Settings = append(got.Settings, Setting{"application.maxHold", GoText.Format(max(w.MaxHold.Value, v.Run.Lease.TTL)), "H1: longer is an exception; no library ends it"})
	}
	waits := lib.Sheet().SkipsWait || slices.ContainsFunc(settings, func(s Setting) bool {
		key, _ := lib.Sheet().Key(s.Key)
		return key.Wait
	})
	if a.Wait > 0 && !waits {
		got.Settings = append(got.Settings, Setting{"application.acquireWait", GoText.Format(a.Wait), "A, as the deadline of the acquire call"})
	}
	if stop <= 0 {
		return got, fault.Usagef("no time is left to work in a lease of %s", f(v.Run.Lease.TTL))
	}
	for _, s := range got.Settings {
		values[s.Key] = Value{Text: s.Text}
	}
	got.Verdict, err = Judge(&Running{Name: in.Service, Library: lib, Values: values, In: in})
	return got, err
}

// floorText drops what nobody would write: fractions of a millisecond.
func floorText(d time.Duration) time.Duration {
	if d >= time.Millisecond {
		return d.Truncate(time.Millisecond)
	}
	return d
}

// Title names a library with its version.
func Title(lib Library) string {
	if v, ok := lib.(interface{ suffix() string }); ok {
		return lib.Name() + v.suffix()
	}
	return lib.Name()
}

// Provenance says, setting by setting, where a number comes from and in which
// unit it stands.
func (s Setting) Provenance(lib Library) string {
	key, _ := lib.Sheet().Key(s.Key)
	return fmt.Sprintf("%s; %s", key.Unit.Label(), s.Why)
}
