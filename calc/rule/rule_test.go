package rule

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// d reads a duration of a test table; "" is 0.
func d(text string) time.Duration {
	if text == "" {
		return 0
	}
	value, err := dur.Parse(strings.TrimPrefix(text, "-"))
	if err != nil {
		panic(err)
	}
	return value
}

// is is a bound as a user gives it; "" is not known.
func is(text string) calc.Bound {
	if text == "" {
		return calc.Bound{}
	}
	return calc.Claim(d(text), "test")
}

// bare is a margin of 0 and nothing else, so that limits are round numbers.
func bare() calc.Inputs { return calc.Inputs{Margin: is("0s")} }

// running is a configuration that is checked.
func running(t *testing.T, in calc.Inputs, l calc.Lease, s Setup) *Case {
	t.Helper()
	in, err := in.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	c := &Case{In: in, HasLease: l.TTL > 0, Lease: l, Setup: s, MaxHold: in.MaxHold}
	if l.TTL > 0 {
		c.Setup.TTL = calc.Claim(l.TTL, "test")
	}
	return c
}

// planned is a plan as lockplan makes it.
func planned(t *testing.T, in calc.Inputs) *Case {
	t.Helper()
	in, err := in.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	s := calc.Solve(in)
	c := &Case{In: in, Planned: true, Solution: s, HasLease: s.Solved, Lease: s.Lease, Acquire: calc.SolveAcquire(in, 0)}
	if s.Solved {
		c.MaxHold = calc.MaxHold(in, s)
	}
	return c
}

// fixed and renewed are leases; a renewal spaced as far as the interval.
func fixed(ttl string) calc.Lease { return calc.Lease{TTL: d(ttl)} }

func renewed(ttl, interval, call string) calc.Lease {
	return calc.Lease{TTL: d(ttl), Interval: d(interval), Spacing: d(interval), Call: d(call)}
}

// ask is what one rule says: "" when it is content, the severities otherwise,
// "not checked" when an input is missing.
func ask(r Rule, c *Case) string {
	found, missing := Run([]Rule{r}, c)
	if len(missing) > 0 {
		return "not checked"
	}
	var said []string
	for _, f := range found {
		if f.ID != r.ID || f.Message == "" || f.Fix == "" {
			return "incomplete: " + f.ID + " " + f.Message
		}
		said = append(said, f.Severity.String())
	}
	return strings.Join(said, " ")
}

// says fails unless the rule says want.
func says(t *testing.T, r Rule, c *Case, want string) {
	t.Helper()
	if got := ask(r, c); got != want {
		found, _ := Run([]Rule{r}, c)
		t.Errorf("%s says %q, want %q: %v", r.ID, got, want, found)
	}
}

// first is the only finding of a rule that must speak.
func first(t *testing.T, r Rule, c *Case) finding.Finding {
	t.Helper()
	found, _ := Run([]Rule{r}, c)
	if len(found) != 1 {
		t.Fatalf("%s: %d findings, want 1: %v", r.ID, len(found), found)
	}
	return found[0]
}

// contains fails unless the text holds every part.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q lacks %q", text, part)
		}
	}
}
