package library

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// strategy is a delay strategy of Redisson's: the longest delay after attempt
// n, which begins at 0. It never falls with n.
type strategy func(n int) time.Duration

// doublings are so many that a delay of a nanosecond outgrows any other.
const doublings = 64

// total is the sum of the longest delays after each of the first n attempts.
func (s strategy) total(n int) time.Duration {
	var sum time.Duration
	for i := range min(n, doublings) {
		sum = saturate(sum, s(i))
	}
	return saturate(sum, calc.Chain(s(doublings), max(0, n-doublings)-1, 0))
}

// doubled is base doubled n times, and longest where it would be more.
func doubled(base, longest time.Duration, n int) time.Duration {
	for range min(n, doublings) {
		if base >= longest-base {
			return longest
		}
		base *= 2
	}
	return min(base, longest)
}

func constantly(d time.Duration) strategy { return func(int) time.Duration { return d } }

func jitter(base, longest time.Duration) strategy {
	return func(n int) time.Duration { return doubled(base, longest, n) }
}

// delayClasses are the strategies that Redisson has, with the names of their
// arguments.
var delayClasses = map[string][]string{
	"org.redisson.config.ConstantDelay":           {"delay"},
	"org.redisson.config.EqualJitterDelay":        {"baseDelay", "maxDelay"},
	"org.redisson.config.FullJitterDelay":         {"baseDelay", "maxDelay"},
	"org.redisson.config.DecorrelatedJitterDelay": {"baseDelay", "maxDelay"},
}

// delayStrategy reads "!<org.redisson.config.EqualJitterDelay> {baseDelay:
// PT1S, maxDelay: PT2S}". why says what this version's loader refuses it for;
// source code makes the object itself.
func (l redisson) delayStrategy(text string, source bool) (s strategy, why string) {
	head, body, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(text), "}"), "{")
	head = strings.TrimSpace(head)
	class := strings.Trim(head, "!<>")
	args := map[string]string{}
	for pair := range strings.SplitSeq(body, ",") {
		if name, value, set := strings.Cut(pair, ":"); set {
			args[strings.TrimSpace(name)] = strings.Trim(value, ` "'`)
		}
	}
	if named := args["class"]; class == "" && named != "" && l.before(4, 0) { // as Jackson has it
		class = named
		delete(args, "class")
	}
	names, known := delayClasses[class]
	switch {
	case !ok:
		return nil, "is no delay strategy"
	case !known, strings.HasPrefix(head, "!!") && l.before(4, 0), strings.HasPrefix(head, "!o") && !l.before(4, 0):
		return nil, "is of no class of Redisson's"
	case len(names) == 1 && l.before(4, 0) && !source:
		return nil, "is a ConstantDelay, which YAML cannot make before 4.0"
	case len(args) == 0 && !l.before(4, 0): // the object's own defaults
		args = map[string]string{"delay": "PT0.1S", "baseDelay": "PT0.1S", "maxDelay": "PT1S"}
	case len(args) > len(names) && l.before(4, 0):
		return nil, "has arguments beside " + strings.Join(names, " and ")
	}
	var got [2]time.Duration
	for i, name := range names {
		value, set := args[name]
		if !set {
			return nil, "has no " + name
		}
		unit := ISOText
		if l.before(4, 0) && strings.Trim(value, "0123456789") == "" { // Jackson takes numbers, as seconds
			unit = Decimal
		}
		d, err := unit.Parse(value)
		if err != nil {
			return nil, fmt.Sprintf("has a %s that is no ISO-8601 duration", name)
		}
		got[i] = d
	}
	switch {
	case len(names) == 1:
		return constantly(got[0]), ""
	case strings.HasSuffix(class, ".DecorrelatedJitterDelay"):
		return constantly(got[1]), ""
	}
	return jitter(got[0], got[1]), ""
}

// retries are the resends of one command and the strategy of the delays
// between, as far as this version's loader takes them.
func (l redisson) retries(run *Running) (attempts int, s strategy) {
	attempts, s = 4, jitter(time.Second, 2*time.Second)
	if l.before(3, 48) {
		attempts, s = 3, constantly(1500*time.Millisecond)
	}
	if run.Given("retryAttempts") {
		attempts = run.Int("retryAttempts")
	}
	if attempts < 0 || attempts == math.MaxInt32 && !l.before(3, 48) {
		run.fail(run.Values["retryAttempts"], "retryAttempts", fault.Usagef("%d is not between 0 and %d", attempts, math.MaxInt32-1))
		attempts = 0
	}
	if d := run.Bound("retryInterval"); d.Known {
		return attempts, constantly(d.Value)
	}
	if text := run.Text("retryDelay"); text != "" {
		if given, why := l.delayStrategy(text, inSource(run.Values["retryDelay"])); why == "" {
			return attempts, given
		}
	}
	return attempts, s
}

// inSource reports whether a value stands in source code, which no loader
// reads.
func inSource(v Value) bool { return languages[extension(v.File)] != "" }

// untagged is a delay strategy that names no class, as a text at its first
// argument, which e is; "" for its other arguments and where a class is tagged.
func untagged(e entry, depth int, entries []entry) entry {
	root := e.at[:len(e.at)-depth]
	var args []string
	for _, other := range entries {
		if len(other.at) < len(root) || !slices.EqualFunc(other.at[:len(root)], root, same) {
			continue
		}
		if len(other.at) == len(root) || len(args) == 0 && !slices.EqualFunc(other.at, e.at, same) {
			e.Text = ""
			return e
		}
		args = append(args, other.at[len(root)].name+": "+other.Text)
	}
	e.Text = "{" + strings.Join(args, ", ") + "}"
	return e
}
