package library

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// Value is a setting as it stands somewhere.
type Value struct {
	Text string
	File string
	Line int
	// Unknown says who fills the value in, where its text does not say it.
	Unknown string
}

// Values are settings by the library's spelling.
type Values map[string]Value

// Running is a configuration that somebody runs, and what the library makes
// of it. The fields after Values are filled by Library.Read.
type Running struct {
	Library Library
	Values  Values
	In      calc.Inputs // resolved, with Library

	Effective map[string]string // after clamping and rounding
	HasLease  bool
	Lease     calc.Lease
	NoRenewer string // why nothing renews although the hold may outlive the lease
	MaxHold   calc.Bound
	Setup     rule.Setup
	Survives  rule.Survives
	Detect    calc.Bound // the library's own W, where it fixes it
	Own       Own
	Skip      []string // rules of the model that a rule of the library answers
	Findings  []finding.Finding
	Without   map[string]string // rows of Groups that this configuration takes away, and why
	err       error
}

// Own are consequences that follow from the library's own arithmetic beside
// what rule.Survives holds.
type Own struct {
	Clean   *time.Duration // takeover after a clean release
	Skew    *time.Duration // between the clocks of two machines
	Call    *time.Duration // one renew call as its settings say, where the lease and Setup.Command reckon with late timers
	Acquire *time.Duration // worst duration of one acquire call

	Renewal     *time.Duration // the longest that one renewal takes, where the lease reckons with the margin
	Endless     bool           // nothing ends an acquire whose command gets no answer
	CallUnknown bool           // nothing says how long a renewal takes: the lease reckons with the margin
}

// fail keeps the first value that cannot be read.
func (r *Running) fail(v Value, key string, err error) {
	if r.err == nil {
		r.err = fault.Usagef("%s%s: %w", place(v), key, err).Hintf("%s", fault.HintOf(err))
	}
}

// place is "file:line: ", or "" for a flag.
func place(v Value) string {
	switch {
	case v.File == "":
		return ""
	case v.Line == 0:
		return v.File + ": "
	}
	return v.File + ":" + strconv.Itoa(v.Line) + ": "
}

// longest is where a value is a slip: it also keeps sums of timeouts inside 64
// bits. Only etcd's whole seconds go further.
const longest = 10 * 365 * dur.Day

// saturate adds and stops growing at the longest duration.
func saturate(a, b time.Duration) time.Duration {
	if a > dur.Max-b {
		return dur.Max
	}
	return a + b
}

// Given reports whether a key was set.
func (r *Running) Given(key string) bool {
	_, ok := r.Values[key]
	return ok
}

// Text is a key's value, else the library's default.
func (r *Running) Text(key string) string {
	if v, ok := r.Values[key]; ok {
		return v.Text
	}
	k, _ := r.Library.Sheet().Key(key)
	return k.Default
}

// Bound is a duration key's value with its place, else the default; not known
// when there is neither.
func (r *Running) Bound(key string) calc.Bound {
	k, _ := r.Library.Sheet().Key(key)
	v, given := r.Values[key]
	if !given {
		if k.Default == "" {
			return calc.Bound{}
		}
		v.Text = k.Default
	}
	if k.Unit == Decimal && (strings.EqualFold(v.Text, "none") || v.Text == "null" || v.Text == "~") { // Python's: no limit
		return calc.Bound{}
	}
	d, err := k.Unit.Parse(v.Text)
	if err != nil {
		r.fail(v, key, err)
		return calc.Bound{}
	}
	if k.Int && (d > math.MaxInt32*time.Millisecond || d < math.MinInt32*time.Millisecond) {
		r.fail(v, key, fault.Usagef("%q does not fit into the 32 bits that %s keeps it in", v.Text, r.Library.Name()).Hintf("at most %d", math.MaxInt32))
		return calc.Bound{}
	}
	if d > longest && k.Unit != Seconds {
		r.fail(v, key, fault.Usagef("%q is longer than ten years: no timeout", v.Text).Hintf("the unit of %s is %s", key, k.Unit.Label()))
		return calc.Bound{}
	}
	if d < 0 && !k.Signed {
		r.fail(v, key, fault.Usagef("%q is negative", v.Text))
		return calc.Bound{}
	}
	if !given {
		return calc.Assume(d, "default of "+r.Library.Name())
	}
	b := calc.Claim(d, key)
	b.File, b.Line = v.File, v.Line
	return b
}

// Dur is Bound's value, 0 when not known.
func (r *Running) Dur(key string) time.Duration { return r.Bound(key).Value }

// Int is a whole number's value.
func (r *Running) Int(key string) int {
	text := r.Text(key)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
	if err != nil {
		r.fail(r.Values[key], key, fault.Usagef("%q is not a whole number", text))
	}
	if k, _ := r.Library.Sheet().Key(key); n < 0 && k.Range == "" { // a count of no particular range begins at 0
		r.fail(r.Values[key], key, fault.Usagef("%q is negative", text))
		return 0
	}
	return int(n)
}

// Ratio is a decimal's value.
func (r *Running) Ratio(key string) calc.Ratio {
	text := r.Text(key)
	if text == "" {
		return 0
	}
	ratio, err := calc.ParseRatio(strings.TrimSpace(text))
	if err != nil {
		r.fail(r.Values[key], key, err)
	}
	return ratio
}

// Bool is a switch's value.
func (r *Running) Bool(key string) bool {
	text := strings.ToLower(strings.TrimSpace(r.Text(key)))
	switch text {
	case "true", "yes", "on", "1":
		return true
	case "", "false", "no", "off", "0":
		return false
	}
	r.fail(r.Values[key], key, fault.Usagef("%q is neither true nor false", text))
	return false
}

// Word is one of a key's legal words, told apart as Spring does: by letters
// and digits alone. A constant of the library, or an object of one of its
// classes, is the word too.
func (r *Running) Word(key string, legal ...string) string {
	plain := strings.NewReplacer("-", "", "_", "")
	text := strings.TrimSpace(r.Text(key))
	k, _ := r.Library.Sheet().Key(key)
	word := text
	if m := constantWord.FindStringSubmatch(text); m != nil {
		word = m[1]
	}
	for _, class := range k.Classes {
		word = strings.TrimSuffix(word, class)
	}
	for _, w := range legal {
		if strings.EqualFold(plain.Replace(word), plain.Replace(w)) {
			return w
		}
	}
	r.fail(r.Values[key], key, fault.Usagef("%q is unknown", text).Hintf("one of %s", strings.Join(legal, ", ")))
	return text
}

// constantWord is a word as source code has it: RedisLockType.SPIN_LOCK, or
// new SessionConnectionStateErrorPolicy().
var constantWord = regexp.MustCompile(`^(?:new\s+)?(?:\w+\.)*([\w-]+)(?:\(\))?$`)

// lacks says that a row of Groups does not hold for this configuration.
func (r *Running) lacks(row, why string) { r.instead(row, "nothing: "+why) }

// instead says what a row of Groups is for this configuration.
func (r *Running) instead(row, text string) {
	if r.Without == nil {
		r.Without = map[string]string{}
	}
	r.Without[row] = text
}

// polled is W of a waiter that tries again some time after it was refused: the
// interval of its polls, which is that sleep and a try. A try takes at least a
// round trip; W is never below the margin, which it is where nobody polls.
func (r *Running) polled(sleep, try time.Duration, why string) calc.Bound {
	return calc.Compute(max(r.In.Margin.Value, saturate(sleep, max(try, roundTrip(r.In)))), why)
}

// roundTrip is the margin without the scheduler's share.
func roundTrip(in calc.Inputs) time.Duration {
	return max(0, in.Margin.Value-in.Sched.Or(calc.Assume(calc.DefaultSched, "default")).Value)
}

// renewsEvery is a lease that its client renews at a fixed tick, by calls of
// the margin, of half the interval at most.
func (r *Running) renewsEvery(ttl, interval time.Duration) {
	r.Lease = calc.Lease{TTL: ttl, Interval: interval, Call: min(r.In.Margin.Value, interval/2), Spacing: interval}
}

// oneChance says that a renewal which fails is the last of its lease.
func (r *Running) oneChance() {
	failures, outage := min(0, r.Lease.FailuresTolerated(r.In.Env())), time.Duration(0)
	r.Survives.Failures, r.Survives.Outage = &failures, &outage
}

// set records what a key amounts to after clamping and rounding.
func (r *Running) set(key, text string) { r.Effective[key] = text }

// say adds a finding of one of the library's rules at the place of a key.
func (r *Running) say(rl rule.Rule, key, message, fix string) *finding.Finding {
	v := r.Values[key]
	r.Findings = append(r.Findings, finding.Finding{ID: rl.ID, Severity: rl.Severity, Message: message, Fix: fix, File: v.File, Line: v.Line})
	return &r.Findings[len(r.Findings)-1]
}

// sayLimit is say with the value that was seen and the limit it was held
// against.
func (r *Running) sayLimit(rl rule.Rule, key string, value, limit time.Duration, message, fix string) *finding.Finding {
	f := r.say(rl, key, message, fix)
	f.Value, f.Limit = finding.Of(value), finding.Of(limit)
	return f
}

// application reads the limits that the application keeps itself.
func (r *Running) application() {
	if b := r.Bound("application.stopWork"); b.Known {
		r.Setup.StopWork = b
	}
	if b := r.Bound("application.maxHold"); b.Known {
		r.MaxHold = b
	}
	if b := r.Bound("application.unlockRetry"); b.Known {
		r.Setup.UnlockRetry = b
	}
	if b := r.Bound("application.acquireWait"); b.Known && !r.Setup.Wait.Known {
		r.Setup.Wait = b
	}
}

// f prints a duration for a message.
func f(d time.Duration) string {
	if d < 0 {
		return "-" + dur.Format(-d)
	}
	return dur.Format(d)
}
