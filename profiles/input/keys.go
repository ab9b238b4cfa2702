// Package input holds the inputs of a plan as people say them, each with the
// place it was said, and turns them into calc.Inputs. Flags, LOCKPLAN_*
// variables, lockplan.yaml and workload profiles all become a Set; the
// precedence is that order.
package input

import "slices"

// Type says how the text of an input is read.
type Type int

// The types of input.
const (
	Duration Type = iota
	Ratio
	Count
	Rate // "50/s"
	Quantile
	YesNo
	Choice // one of Key.Choices
	Text
	Switch // present or not
	Files  // paths, "-" is standard input
)

// Key is an input by name: the flag without dashes, the key in lockplan.yaml,
// the LOCKPLAN_ variable in upper case with underscores.
type Key struct {
	Name    string
	Type    Type
	Choices []string
	Default string // what counts when nothing is said; "" is none, or one that depends on others
	Help    string
}

// Prefixes of the three kinds of observation file; those of the hold have
// none on the command line.
const (
	Hold   = "hold"
	Pauses = "pauses"
	RTTs   = "rtts"
)

// Keys is every input, in the order that help shows them.
var Keys = slices.Concat([]Key{
	{Name: "p50", Type: Duration, Help: "claimed P50 of the hold"},
	{Name: "p95", Type: Duration, Help: "claimed P95 of the hold"},
	{Name: "p99", Type: Duration, Help: "claimed P99 of the hold"},
	{Name: "p999", Type: Duration, Help: "claimed P99.9 of the hold"},
	{Name: "p9999", Type: Duration, Help: "claimed P99.99 of the hold"},
	{Name: "max", Type: Duration, Help: "claimed longest hold"},
	{Name: "percentile", Type: Quantile, Default: "0.999", Help: "planning percentile as a fraction"},
	{Name: "pause", Type: Duration, Help: "longest stop of the process that must be survived"},
	{Name: "pause-percentile", Type: Quantile, Help: "plan with this percentile of --pauses instead of the longest (a finding)"},
	{Name: "pause-included", Type: Switch, Help: "the hold already contains the pauses (B7)"},
	{Name: "margin", Type: Duration, Help: "network and scheduler margin, whole"},
	{Name: "rtt", Type: Duration, Help: "round trip to the lock service at the planning percentile"},
	{Name: "jitter", Type: Duration, Help: "added to --rtt"},
	{Name: "sched", Type: Duration, Help: "scheduler delay added to --rtt (default 100ms)"},
	{Name: "drift", Type: Ratio, Help: "clock-rate error between holder and lock service, 0.0002 is 200 ppm"},
	{Name: "rto", Type: Duration, Help: "recovery target: a crashed holder's lock is free again within this"},
	{Name: "deadline", Type: Duration, Help: "upstream deadline of the whole request"},
	{Name: "work", Type: Duration, Help: "execution after the lock (default: hold P99)"},
	{Name: "reply", Type: Duration, Help: "reserve for the reply"},
	{Name: "confirm", Type: Duration, Help: "reserve to confirm an unknown outcome (default: one round trip when known)"},
	{Name: "queue-sla", Type: Duration, Help: "longest wait of asynchronous work, where there is no deadline"},
	{Name: "detect", Type: Duration, Help: "waiter's poll interval or push latency (default: the margin; check takes the library's own)"},
	{Name: "failures", Type: Count, Default: "1", Help: "failed renewals in a row to tolerate"},
	{Name: "ratio", Type: Ratio, Default: "3", Help: "TTL / renew interval"},
	{Name: "retry-after", Type: Duration, Help: "wait after a failed renewal (default: until the next tick)"},
	{Name: "mode", Type: Choice, Default: "auto", Choices: []string{"auto", "fixed", "renewed"}, Help: "kind of lease"},
	{Name: "max-hold", Type: Duration, Help: "longest hold of a renewed lease"},
	{Name: "max-hold-factor", Type: Ratio, Default: "6", Help: "longest hold as a multiple of hold P99"},
	{Name: "rate", Type: Rate, Help: "acquisitions, such as 50/s"},
	{Name: "contenders", Type: Count, Help: "callers that want the same key at once"},
	{Name: "holders", Type: Count, Help: "keys held at once"},
	{Name: "fencing", Type: YesNo, Help: "the resource refuses writes with an older token: yes or no"},
	{Name: "library", Type: Text, Help: "lock library, see lockplan library list"},
	{Name: "profile", Type: Text, Help: "workload profile, see lockplan profile list"},
	{Name: "confidence", Type: Quantile, Default: "0.95", Help: "one-sided confidence of bounds from samples"},
	{Name: "allow-thin-data", Type: Switch, Help: "plan with the longest sample where there are too few"},
}, ServerKeys, observed())

// option is a setting of an observation file.
type option struct {
	name string
	kind Type
	help string
}

var options = []option{
	{"metric", Text, "metric by name"},
	{"match", Text, `label matchers, such as 'service="checkout"'`},
	{"unit", Choice, "unit of bare numbers"},
	{"since-start", Switch, "counters since start are accepted"},
	{"since", Text, "earlier snapshot to subtract"},
	{"format", Text, "format, where the content does not tell"},
	{"column", Text, "column of a CSV by name or number"},
	{"field", Text, "key of NDJSON"},
	{"operation", Text, "span name of a trace"},
}

func observed() []Key {
	var keys []Key
	for _, o := range []struct{ prefix, what string }{{Hold, "hold times"}, {Pauses, "stops of the process"}, {RTTs, "round trips"}} {
		keys = append(keys, Key{Name: o.prefix, Type: Files, Help: "observed " + o.what + ": a file, - for standard input (repeatable, merged)"})
		for _, opt := range options {
			key := Key{Name: OptionKey(o.prefix, opt.name), Type: opt.kind, Help: opt.help + " for --" + o.prefix}
			if opt.name == "unit" {
				key.Choices = []string{"s", "ms", "us", "ns"}
			}
			keys = append(keys, key)
		}
	}
	return keys
}

// OptionKey is the flag of an option of an observation: --metric belongs to
// --hold, --pauses-metric to --pauses. --hold-since and --hold-format keep
// their prefix: alone the first says nothing, and the second is emit's.
func OptionKey(prefix, name string) string {
	if prefix == Hold && name != "since" && name != "format" {
		return name
	}
	return prefix + "-" + name
}

// Find is the key of that name.
func Find(name string) (Key, bool) {
	for _, k := range Keys {
		if k.Name == name {
			return k, true
		}
	}
	return Key{}, false
}

// Options are the names of the options of an observation.
func Options() []string {
	var names []string
	for _, o := range options {
		names = append(names, o.name)
	}
	return names
}

// IsOption reports whether a key is an option of an observation, or names
// its files.
func IsOption(name string) bool {
	for _, prefix := range []string{Hold, Pauses, RTTs} {
		if name == prefix {
			return true
		}
		for _, o := range options {
			if name == OptionKey(prefix, o.name) {
				return true
			}
		}
	}
	return false
}
