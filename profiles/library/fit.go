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
	// Why is what was wrong with the TTL of the plan, where Raised is set.
	Why string
}

// Wanted is the plan to express.
type Wanted struct {
	In      calc.Inputs // resolved
	Lease   calc.Lease
	Acquire calc.Acquire
	MaxHold calc.Bound
	Given   Values // keys that the surroundings fix
}

// steps by which a TTL grows until the library can keep the plan's promises,
// and a wait shrinks until one acquire stays inside A.
const (
	fitSteps  = 80
	waitSteps = 60
)

// apart is what takes a wait off a lease of the same length, also where a
// library halves it.
const apart = 2 * time.Millisecond

// Fit writes a plan in the library's keys and checks what was written as if
// somebody ran it. Where rounding, clamping or the library's own schedule
// breaks a promise, or a rule of the library's complains of the lease, it tries
// longer TTLs, as far as the recovery target allows. A given key keeps its
// value: a given lease is the only one that is tried. Its error says why nothing
// fits.
func Fit(lib Library, w Wanted) (Fitted, error) {
	for _, key := range appKeys {
		if _, given := w.Given[key.Name]; given {
			return Fitted{}, fault.Usagef("--set %s: it follows from the plan, no surroundings fix it", key.Name).Hintf("--max-hold and --deadline are inputs of a plan")
		}
	}
	steps := fitSteps
	if ttl, given := givenLease(lib, w); given {
		steps, w.Lease = 1, leaseOf(w.In, w.Lease, ttl)
	}
	got, why := fitCalls(lib, w, steps, false)
	if why == "" {
		return got, nil
	}
	if tight, no := fitCalls(lib, w, steps, true); no == "" {
		return tight, nil
	}
	return got, fault.Usagef("%s cannot keep this plan: %s", lib.Name(), why)
}

// fitCalls tries longer TTLs, with renew calls as planned or, tight, shorter.
func fitCalls(lib Library, w Wanted, steps int, tight bool) (got Fitted, why string) {
	lease := w.Lease
	for range steps {
		got, late, err := fitWait(lib, w, lease, tight)
		if late != nil && why != "" { // of the lease that the wait was enough for
			return got, why
		}
		if late != nil { // a longer lease shortens no call
			return got, late.Error()
		}
		if err == nil {
			first, broken := firstError(got)
			if !broken {
				if lease.TTL != w.Lease.TTL {
					got.Raised, got.Why = &w.Lease.TTL, why
				}
				if steps > 1 {
					got = uncontested(lib, w, got, lease, tight)
				}
				return got, ""
			}
			if why == "" {
				why = first.ID + ": " + first.Message
			}
			if tooLong := first.ID == rule.LP102.ID; tooLong {
				return got, why
			}
		} else if why == "" {
			why = err.Error()
		}
		lease = longer(lib, w.In, lease)
	}
	return got, why
}

func firstError(fit Fitted) (first finding.Finding, broken bool) {
	i := slices.IndexFunc(fit.Verdict.Findings, func(f finding.Finding) bool { return f.Severity == finding.Error })
	if i < 0 {
		return first, false
	}
	return fit.Verdict.Findings[i], true
}

// Complaint is the first warning of a rule of the library's own, "" without
// one: what such a rule warns of, a session that ends before its holder is told,
// costs more than a later takeover.
func (f Fitted) Complaint() string {
	for _, said := range f.Verdict.Run.Findings {
		if said.Severity == finding.Warning {
			return said.ID + ": " + said.Message
		}
	}
	return ""
}

// uncontested is the shortest lease from one on of which no rule of the
// library's complains, where the recovery target allows it; else kept, the fit
// of that one.
func uncontested(lib Library, w Wanted, kept Fitted, from calc.Lease, tight bool) Fitted {
	why := kept.Complaint()
	if why == "" {
		return kept
	}
	quiet := func(l calc.Lease) (Fitted, bool) {
		got, late, err := fitWait(lib, w, l, tight)
		return got, late == nil && err == nil && got.Complaint() == ""
	}
	bad, good, found := from, from, false
	for range fitSteps {
		if good = longer(lib, w.In, good); good.TTL < bad.TTL { // beyond 64 bits
			return kept
		}
		if _, found = quiet(good); found {
			break
		}
		bad = good
	}
	if !found {
		return kept
	}
	for step := max(lib.Traits().Quantum, time.Millisecond); good.TTL-bad.TTL > step; {
		mid := leaseOf(w.In, good, bad.TTL+((good.TTL-bad.TTL)/2).Truncate(step))
		if _, ok := quiet(mid); ok {
			good = mid
		} else {
			bad = mid
		}
	}
	got, _ := quiet(good)
	if _, broken := firstError(got); broken {
		return kept
	}
	got.Raised, got.Why = &w.Lease.TTL, why
	return got
}

// fitWait shortens the wait until the worst acquire, with the calls that are
// in flight when it ends, is inside A (A1); late says that none is.
func fitWait(lib Library, w Wanted, lease calc.Lease, tight bool) (got Fitted, late, err error) {
	asked := ask(w, lease)
	asked.Tight = tight
	for range waitSteps {
		settings, err := lib.Express(asked)
		if err == nil {
			got, err = read(lib, w, asked.Wait, override(lib, settings, w.Given))
			if err != nil {
				return got, nil, err
			}
			if outlives := outliving(got.Verdict); outlives > asked.Wait && !w.Acquire.Known {
				asked.Wait = outlives
				continue
			}
			if run := got.Verdict.Run; w.Acquire.Known && run.Setup.Wait.Value == run.Lease.TTL && asked.Wait > apart { // LP313
				asked.Wait -= apart
				continue
			}
			worst := got.Verdict.Consequences.AcquireWorst
			if !w.Acquire.Known || worst == nil || *worst <= w.Acquire.Wait {
				return got, nil, nil
			}
			over := *worst - w.Acquire.Wait
			if late == nil && over < asked.Wait {
				asked.Wait -= over
			} else {
				asked.Wait -= max(asked.Wait/4, time.Millisecond)
			}
			late = fault.Usagef("an acquire takes up to %s, the plan allows %s", f(*worst), f(w.Acquire.Wait))
		}
		asked.Wait = asked.Wait.Truncate(time.Millisecond)
		if err != nil && late == nil {
			return got, nil, err
		}
		if err != nil || asked.Wait <= 0 {
			break
		}
		asked.Attempt = min(asked.Attempt, asked.Wait)
	}
	return got, late, nil
}

// override keeps what is given: every key of it is written, and checked.
func override(lib Library, settings []Setting, given Values) []Setting {
	out := slices.Clone(settings)
	for _, key := range lib.Sheet().Keys {
		v, fixed := given[key.Name]
		if !fixed {
			continue
		}
		i := slices.IndexFunc(out, func(s Setting) bool { return s.Key == key.Name })
		if i < 0 {
			out = append(out, Setting{key.Name, v.Text, "given"})
		} else if out[i].Text != v.Text {
			out[i] = Setting{key.Name, v.Text, "given"}
		}
	}
	return out
}

// givenLease is the TTL that the surroundings fix: the value of the key that
// the library writes the planned lease into.
func givenLease(lib Library, w Wanted) (time.Duration, bool) {
	if len(w.Given) == 0 {
		return 0, false
	}
	lease := w.Lease
	for range fitSteps {
		asked := ask(w, lease)
		asked.Tight = true
		settings, err := lib.Express(asked)
		if err != nil {
			lease = longer(lib, w.In, lease)
			continue
		}
		for _, s := range settings {
			key, _ := lib.Sheet().Key(s.Key)
			v, given := w.Given[s.Key]
			if !given || key.Round != "up" || !key.Unit.IsTime() {
				continue
			}
			planned, bad := key.Unit.Parse(s.Text)
			ttl, worse := key.Unit.Parse(v.Text)
			if bad == nil && worse == nil && ttl > 0 && planned >= lease.TTL && planned < lease.TTL+max(key.Unit.quantum(), time.Second) {
				return ttl, true
			}
		}
		return 0, false
	}
	return 0, false
}

// leaseOf is a lease of the same kind with another TTL.
func leaseOf(in calc.Inputs, l calc.Lease, ttl time.Duration) calc.Lease {
	if l.TTL = ttl; l.Renews() {
		return calc.RenewedLease(in, ttl)
	}
	return l
}

// longer is the lease of the next TTL to try.
func longer(lib Library, in calc.Inputs, l calc.Lease) calc.Lease {
	step := calc.CeilTo(max(l.TTL/20, time.Millisecond), lib.Traits().Quantum)
	return leaseOf(in, l, l.TTL+step)
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
	a := Ask{In: w.In, Lease: l, Attempt: w.In.Margin.Value, Given: w.Given}
	if w.Acquire.Known {
		a.Wait = w.Acquire.Wait
		if w.In.Deadline.Known { // a wait of the whole budget is too long (A1)
			a.Wait = (a.Wait - 1).Truncate(time.Millisecond)
		}
		a.Attempt = min(w.Acquire.Attempt, max(a.Wait, time.Millisecond))
	}
	return a
}

// read judges settings as if somebody ran them, with the limits that the
// application keeps beside them.
func read(lib Library, w Wanted, wait time.Duration, settings []Setting) (Fitted, error) {
	values := Values{}
	for _, s := range settings {
		values[s.Key] = Value{Text: s.Text}
	}
	in := withFailures(w.In)
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
	got.Settings = append(got.Settings, Setting{"application.stopWork", GoText.Format(floorText(stop)), "stop-work point (S): lease T less pause P and margin M, from when the last confirmed acquire or renewal was sent"})
	if v.Run.Lease.Renews() {
		got.Settings = append(got.Settings, Setting{"application.maxHold", GoText.Format(max(w.MaxHold.Value, v.Run.Lease.TTL)), "maximum hold (H1): longer is an exception; no library ends it"})
	}
	if v.Run.Setup.Unlock.Known {
		got.Settings = append(got.Settings, Setting{"application.unlockRetry", GoText.Format(wholeMillis(v.Run.Library.FreeMax(v.Run.Lease.TTL))), "an unlock without an answer: the lock stays until then (LP312)"})
	}
	waits := lib.Sheet().SkipsWait || slices.ContainsFunc(settings, func(s Setting) bool {
		key, _ := lib.Sheet().Key(s.Key)
		return key.Wait
	})
	if wait > 0 && !waits {
		why := "acquire wait (A), as the deadline of the acquire call"
		if !w.Acquire.Known {
			why = "try again for so long: no deadline is given, and this outlives a dead holder (A3)"
		}
		got.Settings = append(got.Settings, Setting{"application.acquireWait", GoText.Format(wait), why})
	}
	if stop <= 0 {
		return got, fault.Usagef("no time is left to work in a lease of %s", f(v.Run.Lease.TTL))
	}
	for _, s := range got.Settings {
		values[s.Key] = Value{Text: s.Text}
	}
	got.Verdict, err = Judge(&Running{Library: lib, Values: values, In: in})
	return got, err
}

// withFailures says that the failures to tolerate are the plan's.
func withFailures(in calc.Inputs) calc.Inputs {
	in.FailuresGiven = true
	return in
}

// outliving is the wait that outlives a dead holder and a queue of the
// contenders, where the library's own wait does not; 0 where it does.
func outliving(v Verdict) time.Duration {
	if !slices.ContainsFunc(v.Findings, func(f finding.Finding) bool { return f.ID == rule.LP304.ID }) {
		return 0
	}
	in, l := v.Run.In, v.Run.Lease
	wait := wholeMillis(max(calc.FailsAfterCrash(v.Run.Library, l, in.Env(), 0), calc.LastWait(in.Contenders, in.Hold.Value)))
	if wait == l.TTL { // LP313: two clocks, two numbers
		wait += time.Millisecond
	}
	return wait
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
