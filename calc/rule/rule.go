// Package rule is the catalogue of findings (docs/rules): a file per rule, a
// registry in catalogue.go. A rule looks at a Case, which is a lease as
// planned or as somebody runs it, and answers with findings as data.
//
// Rules about what an observation file says (2xx) are raised where the file
// is read; their files here hold what `explain` and the pages tell.
package rule

import (
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
)

// Rule is one row of the catalogue.
type Rule struct {
	ID        string // stable, never reused
	Name      string // kebab case
	Severity  finding.Severity
	Condition string // as a formula, in the symbols of docs/model.md
	Why       string // what happens at 3 a.m. when it is violated
	Fix       string // what to do about it, in general
	Example   Example

	// Needs are the inputs without which the rule says nothing; check lists
	// the rule as not checked then.
	Needs []Need
	// Check is nil for rules that are raised elsewhere.
	Check func(Rule, *Case) []finding.Finding
}

// Example is a command that makes the rule speak, shown on its page and run
// by a test.
type Example struct {
	Args  []string
	Files map[string]string // name to content
}

// Case is what rules look at.
type Case struct {
	In       calc.Inputs // resolved; an assumed bound has Kind Assumed
	Planned  bool        // the lease is ours (a plan), not theirs (a check)
	Solution calc.Solution
	HasLease bool
	Lease    calc.Lease
	// NoRenewer says why nothing renews although the hold may outlive the
	// lease: "absent", "disabled by leaseTime", "not supported for read locks".
	NoRenewer string
	Acquire   calc.Acquire
	MaxHold   calc.Bound
	// AcquireP99 is the acquire wait at P99, simulated or measured; who gave up
	// counts for as long as the caller waited. AcquireGaveUp is their share.
	AcquireP99    calc.Bound
	AcquireGaveUp float64
	// Survives holds what a library's own arithmetic says instead of C1 to C3.
	Survives Survives
	// DoubleWrites is K3's upper figure, false expiries a day; 0 is not known.
	DoubleWrites float64
	Setup        Setup
	// Refused says why the library cannot keep a plan that the model has.
	Refused string
}

// Survives is what a configuration survives where the library's own rules
// replace the model's, as client-go's renew deadline does; nil is the model's.
type Survives struct {
	Outage, Pause *time.Duration
	Skew          *time.Duration // difference of the clocks
	Failures      *int
	// Longer is, in the library's own keys, what tolerates so many failed
	// renewals and survives such an outage, tried before it is said; "" where no
	// value of a key does. nil is a library that no key makes do so.
	Longer func(failures int, outage time.Duration) string
}

// Setup is what a check was told about the surroundings of a running
// configuration. A Bound that is not Known was not told; Source, File and
// Line say where a value stands.
type Setup struct {
	TTL, Renew, RenewTimeout calc.Bound
	Wait, RetryDelay         calc.Bound
	WaitLeast                calc.Bound // what a caller surely waits, where tries and random delays bound the wait
	Retries                  int
	Command                  calc.Bound // worst case of one call with the client's own retries
	Configured               calc.Bound // of Command what the settings say, where the client's timers make it longer
	Try                      calc.Bound // of Command a call that asks for the lock, where the client does not resend that
	Attempt                  calc.Bound // socket timeout of one attempt
	Reply                    calc.Bound // how long a client waits for one answer, where that is not its attempt
	StopWork                 calc.Bound // the application's own stop-work limit
	StopTime                 calc.Bound // how long the application takes to stop
	ClockSkew                calc.Bound // expiry is judged by another machine's wall clock
	Failover, Outage         calc.Bound // of the lock service
	FirewallIdle, Idle       calc.Bound // the firewall's limit, and the client's own
	Ping                     calc.Bound // how often the client sends something on an idle connection; 0 is never
	RenewFixed               bool       // nobody sets the renew interval: it is the library's share of the TTL
	Kept                     int        // connections that the client never closes for being idle
	Period, AtLeast, AtMost  calc.Bound // scheduled jobs
	Grace, Drain             calc.Bound // shutdown
	KillAfter                calc.Bound // probes, function and job limits
	Visibility               calc.Bound // queue redelivery
	Spent                    calc.Bound // time used up while acquiring
	Unlock                   calc.Bound // worst case of one unlock call
	UnlockRetry              calc.Bound // for how long the application tries a failed unlock again
	Layers                   []Layer    // outermost first
	Pool                     Pool
}

// Layer is one timeout of a call chain.
type Layer struct {
	Name    string
	Timeout calc.Bound
	// Worst is the worst case of what this layer calls, with its retries, where
	// known; the innermost call is Setup.Command, not a Worst.
	Worst calc.Bound
}

// Pool is the connection pool of a client; zero values are not known.
type Pool struct {
	Size, MinIdle, Pods, MaxClients int
	Threads                         int
	SharedWithBusiness              bool
	File                            string
	Line                            int
}

// Need is an input that a rule cannot do without.
type Need struct {
	Text string // "hold (--p999 or --hold)"
	Met  func(*Case) bool
}

// The needs that rules share.
var (
	NeedLease    = Need{"a lease (--ttl)", func(c *Case) bool { return c.HasLease }}
	NeedHold     = Need{"the hold (--p999 or --hold)", func(c *Case) bool { return c.In.Hold.Finite() }}
	NeedPause    = Need{"the pause budget (--pause or --pauses)", func(c *Case) bool { return c.In.Pause.Finite() && c.In.Pause.Kind != calc.Assumed }}
	NeedRTO      = Need{"the recovery target (--rto)", func(c *Case) bool { return c.In.RTO.Known }}
	NeedDeadline = Need{"the upstream deadline (--deadline)", func(c *Case) bool { return c.In.Deadline.Known }}
	NeedWait     = Need{"the acquire wait (--wait)", func(c *Case) bool { _, ok := c.Wait(); return ok }}
	NeedRate     = Need{"the arrival rate (--rate)", func(c *Case) bool { return c.In.AcquireRate > 0 }}
)

// Run asks every rule and sorts the answers: the worst first, then by id.
// NotChecked lists what rules with unmet needs would need, "LP110 needs …".
func Run(rules []Rule, c *Case) (found []finding.Finding, notChecked []string) {
	for _, r := range rules {
		if r.Check == nil {
			continue
		}
		var missing []string
		for _, need := range r.Needs {
			if !need.Met(c) {
				missing = append(missing, need.Text)
			}
		}
		if len(missing) == 1 && missing[0] == NeedHold.Text && c.In.HoldAtLeast.Known {
			// Not known, but known to reach so much: a violation by that is one.
			least := *c
			least.In.Hold = c.In.HoldAtLeast
			if certain := r.Check(r, &least); len(certain) > 0 {
				found = append(found, certain...)
				continue
			}
		}
		if len(missing) > 0 {
			notChecked = append(notChecked, r.ID+" "+r.Name+": needs "+strings.Join(missing, ", "))
			continue
		}
		found = append(found, r.Check(r, c)...)
	}
	Sort(found)
	return found, notChecked
}

// Sort orders findings by severity, worst first, then id, file and line.
func Sort(found []finding.Finding) {
	slices.SortStableFunc(found, func(a, b finding.Finding) int {
		if a.Severity != b.Severity {
			return int(b.Severity - a.Severity)
		}
		if order := strings.Compare(a.ID, b.ID); order != 0 {
			return order
		}
		if order := strings.Compare(a.File, b.File); order != 0 {
			return order
		}
		return a.Line - b.Line
	})
}

// found is a finding of rule r at its own severity, held against a limit, at
// the place where the value stands.
func (r Rule) found(value calc.Bound, limit time.Duration, message, fix string) finding.Finding {
	f := r.at(Place{value.File, value.Line}, message, fix)
	f.Value, f.Limit = finding.Of(value.Value), finding.Of(limit)
	return f
}

// says is a finding of rule r without a value and a limit.
func (r Rule) says(message, fix string) finding.Finding {
	return finding.Finding{ID: r.ID, Severity: r.Severity, Message: plain(message), Fix: plain(fix)}
}
