package monitor

import (
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
)

// series is a metric as the user's Prometheus has it.
type series struct {
	name     string
	matchers string // without braces
	unit     time.Duration
	absent   bool // the user has no such metric
}

// none is what a mapping says of a metric that the user does not have.
const none = "none"

var mapped = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})?(?:\s+(s|ms|us|ns))?$`)

// units are the suffixes of metric names that say their unit.
var units = map[string]time.Duration{
	"_seconds": time.Second, "_milliseconds": time.Millisecond, "_ms": time.Millisecond,
	"_microseconds": time.Microsecond, "_us": time.Microsecond, "_nanoseconds": 1, "_ns": 1,
}

// byText are the units as a mapping spells them.
var byText = map[string]time.Duration{"s": time.Second, "ms": time.Millisecond, "us": time.Microsecond, "ns": 1}

// resolve gives every metric of the contract its name: the mapping's, else
// ours with the label lock="SERVICE".
func resolve(service string, mapping map[string]string) (map[string]series, error) {
	for _, name := range slices.Sorted(maps.Keys(mapping)) {
		if err := CheckMapping(service, name, mapping[name]); err != nil {
			return nil, err
		}
	}
	out := map[string]series{}
	for _, m := range contract {
		out[m.name] = series{name: m.name, matchers: "lock=" + quote(service), unit: time.Second}
		if said, given := mapping[m.name]; given {
			out[m.name], _ = parseSeries(m, said, service)
		}
	}
	return out, nil
}

// CheckMapping is the error in one entry of a service's metrics: the contract
// has no such metric, or what is said of it is none.
func CheckMapping(service, name, said string) error {
	var known []string
	for _, m := range contract {
		if m.name == name {
			_, err := parseSeries(m, said, service)
			return err
		}
		known = append(known, m.name)
	}
	return fault.Usagef("service %q: metrics has no key %q", service, name).Hintf("one of %s", strings.Join(known, ", "))
}

// parseSeries reads NAME, NAME{matchers} or NAME{matchers} UNIT.
func parseSeries(m metric, said, service string) (series, error) {
	if said == none {
		return series{absent: true}, nil
	}
	parts := mapped.FindStringSubmatch(said)
	if parts == nil {
		return series{}, fault.Usagef("service %q: metrics: %s: %q is no metric", service, m.name, said).
			Hintf(`NAME, NAME{label="value"}, NAME{…} ms, or none`)
	}
	s := series{name: parts[1], matchers: parts[2]}
	if !strings.Contains(said, "{") {
		s.matchers = "lock=" + quote(service)
	}
	for _, suffix := range []string{"_bucket", "_count", "_sum"} {
		if base, found := strings.CutSuffix(s.name, suffix); found && m.kind == histogram {
			s.name = base
		}
	}
	if err := checkMatchers(parts[2]); err != nil {
		return series{}, fault.Usagef("service %q: metrics: %s: %q: %w", service, m.name, said, err).
			Hintf(`NAME{label="value",other=~"a|b"}, without le and __name__`)
	}
	if m.kind == counter {
		if parts[3] != "" {
			return series{}, fault.Usagef("service %q: metrics: %s: %q: a counter of events has no unit", service, m.name, said).
				Hintf("%s: '%s'", m.name, strings.TrimSpace(strings.TrimSuffix(said, parts[3])))
		}
		return s, nil
	}
	if parts[3] != "" {
		s.unit = byText[parts[3]]
	}
	for suffix, unit := range units {
		if !strings.HasSuffix(s.name, suffix) {
			continue
		}
		if s.unit != 0 && s.unit != unit {
			return series{}, fault.Usagef("service %q: metrics: %s: the name %q says another unit than %s", service, m.name, s.name, parts[3]).
				Hintf("the name without a unit")
		}
		s.unit = unit
	}
	if s.unit != 0 {
		return s, nil
	}
	return series{}, fault.Usagef("service %q: metrics: %s: the name %q does not say its unit", service, m.name, s.name).
		Hintf("%s: '%s ms', with one of s, ms, us, ns", m.name, said)
}

// matcher is one matcher of a selector: its label, operator and quoted value.
var matcher = regexp.MustCompile(`([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`[^`]*`" + `)`)

// checkMatchers refuses what Prometheus cannot read, and the labels that the
// rules set themselves.
func checkMatchers(matchers string) error {
	rest := strings.TrimSpace(matchers)
	for rest != "" {
		at := matcher.FindStringSubmatchIndex(rest)
		if at == nil || at[0] != 0 {
			return fmt.Errorf("%q is no matcher", rest)
		}
		label, operator, quoted := rest[at[2]:at[3]], rest[at[4]:at[5]], rest[at[6]:at[7]]
		if label == "le" || label == "__name__" {
			return fmt.Errorf("the label %s is the rules' own", label)
		}
		value, err := unquote(quoted)
		if err != nil {
			return fmt.Errorf("%s is no string", quoted)
		}
		if strings.HasSuffix(operator, "~") {
			if _, err := regexp.Compile("^(?:" + value + ")$"); err != nil {
				return fmt.Errorf("%s: %w", label, err)
			}
		}
		rest = strings.TrimSpace(rest[at[1]:])
		next, more := strings.CutPrefix(rest, ",")
		if rest != "" && !more {
			return fmt.Errorf("a comma is missing before %q", rest)
		}
		rest = strings.TrimSpace(next)
	}
	return nil
}

// unquote reads a string literal of PromQL: single quotes are as double ones.
func unquote(text string) (string, error) {
	if inner, single := strings.CutPrefix(text, "'"); single {
		inner = strings.ReplaceAll(strings.TrimSuffix(inner, "'"), `\'`, "'")
		text = `"` + strings.ReplaceAll(inner, `"`, `\"`) + `"`
	}
	return strconv.Unquote(text)
}

// differing are the labels that only one of two selectors matches, or that they
// match otherwise.
func differing(a, b string) []string {
	said := func(matchers string) map[string]bool {
		out := map[string]bool{}
		for _, m := range matcher.FindAllStringSubmatch(matchers, -1) {
			out[m[1]+m[2]+m[3]] = true
		}
		return out
	}
	inA, inB := said(a), said(b)
	labels := map[string]bool{}
	for _, each := range []struct {
		matchers string
		other    map[string]bool
	}{{a, inB}, {b, inA}} {
		for _, m := range matcher.FindAllStringSubmatch(each.matchers, -1) {
			if !each.other[m[1]+m[2]+m[3]] {
				labels[m[1]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(labels))
}

// select is the selector of a metric's part ("", "_bucket", "_count") with
// more matchers.
func (s series) selector(part string, more ...string) string {
	all := more
	if s.matchers != "" {
		all = append([]string{s.matchers}, more...)
	}
	if len(all) == 0 {
		return s.name + part
	}
	return s.name + part + "{" + strings.Join(all, ",") + "}"
}

// within selects the bucket that counts what is at most edge.
func (s series) within(edge time.Duration) string {
	return s.selector("_bucket", "le=~"+quote(edgePattern(edge, s.unit)))
}

// edgePattern matches an edge in the spellings that exporters write it: 5,
// 5.0 (OpenMetrics, Prometheus 3) and 5e+06.
func edgePattern(edge, unit time.Duration) string {
	plain := number(edge, unit)
	spellings := []string{plain}
	if !strings.Contains(plain, ".") {
		spellings = append(spellings, plain+".0")
	}
	if f, err := strconv.ParseFloat(plain, 64); err == nil {
		if short := strconv.FormatFloat(f, 'g', -1, 64); short != plain {
			spellings = append(spellings, short)
		}
	}
	for i, s := range spellings {
		spellings[i] = regexp.QuoteMeta(s)
	}
	return strings.Join(spellings, "|")
}

// number is d in a unit, exactly.
func number(d, unit time.Duration) string {
	if unit == time.Second {
		return dur.Seconds(d)
	}
	return decimal(big.NewRat(int64(d), int64(unit)))
}

// decimal prints a rational that has a finite decimal.
func decimal(r *big.Rat) string {
	text := r.FloatString(18)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// rest is 1 - q without the error of binary floats: 0.001, not
// 0.0010000000000000009.
func rest(q float64) string {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(q, 'f', -1, 64))
	return decimal(r.Sub(big.NewRat(1, 1), r))
}

// quote is a string literal of PromQL.
func quote(text string) string { return strconv.Quote(text) }

// inSeconds multiplies an expression in the series' unit.
func (s series) inSeconds(expr string) string {
	if s.unit == time.Second {
		return expr
	}
	return expr + " * " + decimal(big.NewRat(int64(s.unit), int64(time.Second)))
}
