package source

import (
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// units are the spellings of --unit.
var units = map[string]time.Duration{
	"s": time.Second, "ms": time.Millisecond, "us": time.Microsecond, "ns": time.Nanosecond,
}

// suffixes are last words of a metric's name (or an OpenMetrics unit) that
// are durations.
var suffixes = map[string]string{
	"seconds": "s", "second": "s", "secs": "s", "sec": "s", "s": "s",
	"milliseconds": "ms", "millisecond": "ms", "millis": "ms", "msec": "ms", "ms": "ms",
	"microseconds": "us", "microsecond": "us", "micros": "us", "usec": "us", "us": "us", "µs": "us",
	"nanoseconds": "ns", "nanosecond": "ns", "nanos": "ns", "ns": "ns",
}

// longUnits are last words that are durations too, but in a unit that --unit
// does not know.
var longUnits = map[string]string{
	"minutes": "minutes", "minute": "minutes", "mins": "minutes",
	"hours": "hours", "hour": "hours",
	"days": "days", "day": "days",
}

// notDurations are last words that are something else.
var notDurations = map[string]bool{
	"bytes": true, "byte": true, "kilobytes": true, "kb": true, "mb": true, "bits": true, "size": true, "length": true,
	"ratio": true, "percent": true, "celsius": true, "volts": true, "amperes": true, "joules": true,
	"grams": true, "meters": true, "items": true, "rows": true, "entries": true, "messages": true, "requests": true,
	"objects": true, "samples": true, "chunks": true, "cores": true, "threads": true, "connections": true,
}

// lastWord is the part of a name that carries its unit: of hold_seconds,
// elapsedMillis or "Hold (ms)" the end.
func lastWord(name string) string {
	name = strings.TrimRight(strings.TrimSuffix(name, "_total"), ")]} ")
	if at := strings.LastIndexAny(name, "_.-/ ([{"); at >= 0 {
		name = name[at+1:]
	}
	for at := len(name) - 1; at > 0; at-- {
		if isUpper(name[at]) && !isUpper(name[at-1]) {
			name = name[at:]
			break
		}
	}
	return strings.ToLower(name)
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// unitOf is the unit of a metric: what the user said, else what the input
// declares, else what the name ends in. known is false when none of them says;
// a unit that is not understood is an error, never a guess.
func unitOf(given, declared, name string) (unit string, known bool, err error) {
	word := lastWord(name)
	if declared != "" {
		word = strings.ToLower(declared)
	}
	if notDurations[word] {
		return "", false, fault.Usagef("metric %s is in %s: not a duration", show(name), word).
			Hintf("--metric with the name of a duration")
	}
	if given != "" {
		if _, ok := units[given]; !ok {
			return "", false, fault.Usagef("unit %q is not one of s, ms, us, ns", given)
		}
		return given, true, nil
	}
	if u, ok := suffixes[word]; ok {
		return u, true, nil
	}
	if u, ok := longUnits[word]; ok {
		word = u
	} else if declared == "" {
		return "", false, nil
	}
	return "", false, fault.Usagef("metric %s is in %s: none of s, ms, us, ns", show(name), show(word)).
		Hintf("record it in seconds")
}

// unitOf is that of a metric; of several inputs, --unit is for those that do
// not say theirs.
func (q *Query) unitOf(declared, name string) (unit string, known bool, err error) {
	if q.used != nil && q.Unit != "" {
		if unit, known, err = unitOf("", declared, name); known || err != nil {
			return unit, known, err
		}
	}
	return unitOf(q.Unit, declared, name)
}

// unitBeside is the unit of an input that says own, or "" for nothing.
func (q *Query) unitBeside(own string) string {
	if q.Unit == "" || q.used != nil && own != "" {
		return own
	}
	return q.Unit
}

// contradicts is the unit that a metric's name ends in, where the one that was
// given is another.
func contradicts(given, name string) (own string, differs bool) {
	word := lastWord(name)
	own, known := suffixes[word]
	if !known {
		own, known = longUnits[word]
	}
	return own, known && given != "" && own != given
}

// judgeDeclared is LP204 where the input declares another unit than the
// metric's name ends in: one of them is wrong.
func (f *family) judgeDeclared(o *Observation) {
	declared := suffixes[strings.ToLower(f.declared)]
	if own, differs := contradicts(declared, f.name); differs && !f.given(o.Unit) {
		o.suspect(finding.Error, f.line, 0, "the input declares "+show(f.name)+" to be in "+declared+", its name says "+own)
	}
}

// given says that the unit is the one the user named.
func (f *family) given(unit string) bool { return f.q.Unit != "" && f.q.Unit == unit }

// judgeGiven is LP204 where a metric's name says another unit than --unit. A
// longer unit is on the safe side; a shorter one makes every hold shorter, and
// is an error unless something else in the input speaks for it.
func (o *Observation) judgeGiven(q *Query) {
	own, differs := contradicts(q.Unit, o.Metric)
	f := finding.Finding{ID: "LP204", Severity: finding.Warning, Line: o.Line}
	switch named, known := units[own]; {
	case !differs:
		return
	case q.used != nil:
		f.Severity = finding.Info
		f.Message = "--unit " + q.Unit + " is not taken for " + show(o.Metric) + ", whose name says " + own + ": of several inputs it is for those that do not say theirs"
		o.Findings = append(o.Findings, f)
		return
	case !o.confirmed && (!known || units[q.Unit] < named):
		f.Severity = finding.Error
	}
	f.Message = "--unit " + q.Unit + " is taken, although the name " + show(o.Metric) + " says " + own + ": a factor of 1000 or more between the two"
	f.Fix = "leave --unit out; a name that is wrong is best put right where it is recorded"
	o.Findings = append(o.Findings, f)
}

// unitName is the spelling of a unit, "" for none: each value had its own.
func unitName(unit time.Duration) string {
	for name, d := range units {
		if d == unit {
			return name
		}
	}
	return ""
}
