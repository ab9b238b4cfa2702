package source

import (
	"bytes"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// value reads one duration as people write them: 1.5s, 250ms, 1m2s, PT1.5S,
// 00:00:01.5, or a number in the given unit. bare says that it was a number
// and there is no unit.
func value(text []byte, unit time.Duration) (down, up time.Duration, bare, ok bool) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return 0, 0, false, false
	}
	end := len(text)
	for end > 0 && isUnitByte(text[end-1]) {
		end--
	}
	if end == len(text) {
		if bytes.IndexByte(text, ':') > 0 {
			down, up, ok = clock(text)
			return down, up, false, ok
		}
		if unit == 0 {
			_, _, ok = scaled(text, 1)
			return 0, 0, ok, ok
		}
		down, up, ok = scaled(text, unit)
		return down, up, false, ok
	}
	if own, known := spelled(text[end:]); known {
		if down, up, ok = scaled(bytes.TrimRight(text[:end], " "), own); ok {
			return down, up, false, true
		}
	}
	if text[0] == 'P' {
		d, isISO := iso(string(text))
		return d, d, false, isISO
	}
	d, err := dur.Parse(string(text))
	return d, d, false, err == nil
}

func isUnitByte(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }

// spelled is a unit behind a number.
func spelled(text []byte) (time.Duration, bool) {
	switch string(text) {
	case "s", "sec", "secs", "second", "seconds":
		return time.Second, true
	case "ms", "msec", "msecs", "millis", "millisecond", "milliseconds":
		return time.Millisecond, true
	case "us", "µs", "μs", "usec", "usecs", "micros", "microsecond", "microseconds":
		return time.Microsecond, true
	case "ns", "nsec", "nanos", "nanosecond", "nanoseconds":
		return time.Nanosecond, true
	case "m", "min", "minute", "minutes":
		return time.Minute, true
	case "h", "hour", "hours":
		return time.Hour, true
	}
	return 0, false
}

// clock reads [hours:]minutes:seconds.
func clock(text []byte) (down, up time.Duration, ok bool) {
	parts := bytes.Split(text, []byte(":"))
	if len(parts) > 3 {
		return 0, 0, false
	}
	down, up, ok = scaled(parts[len(parts)-1], time.Second)
	for i, unit := len(parts)-2, time.Minute; i >= 0 && ok; i, unit = i-1, unit*60 {
		var whole time.Duration
		var exact time.Duration
		whole, exact, ok = scaled(parts[i], unit)
		if whole != exact || whole > dist.Inf-up {
			return 0, 0, false
		}
		down, up = down+whole, up+whole
	}
	return down, up, ok
}

// iso reads the ISO 8601 durations that have no calendar in them: P1DT2H3M4.5S.
func iso(text string) (time.Duration, bool) {
	date, clock, _ := strings.Cut(strings.TrimPrefix(text, "P"), "T")
	if date == "" && clock == "" || strings.ContainsAny(date, "YM") {
		return 0, false
	}
	d, err := dur.Parse(strings.ToLower(date + clock))
	return d, err == nil
}

// samples collects the values of a format that has one record for each.
type samples struct {
	in   *input
	b    dist.Builder
	n    int
	line int // of the first
	lost uint64

	rounded bool // the last digit of each value is not exact
	digits  lastDigit
}

// add takes one value known to lie in [down, up].
func (s *samples) add(down, up time.Duration, line int) {
	if s.n == 0 {
		s.line = line
	}
	s.n++
	s.b.AddRange(down, up, 1)
}

// merge adds what was collected from other parts of the input.
func (s *samples) merge(o *samples) {
	if o.n == 0 {
		return
	}
	if s.n == 0 || o.line < s.line {
		s.line = o.line
	}
	s.n += o.n
	s.digits.merge(o.digits)
	s.b.Merge(&o.b)
}

// observe is what was collected; unit is how it stood in the input.
func (s *samples) observe(metric, unit string) (*Observation, error) {
	if s.n == 0 {
		return nil, fault.NoDataf("%s has no samples", show(s.in.name))
	}
	o := &Observation{Metric: metric, Unit: unit, Series: 1, Dist: s.b.Dist(), Line: s.line, Lost: s.lost, digit: s.digits.more()}
	o.meanOfDist()
	if top := o.Dist.Max(); top.Upper == 0 {
		o.suspect(finding.Error, s.line, 0, "every value is 0: the clock of the source is too coarse, or the unit was cut off")
	}
	o.judgeLength(finding.Warning, s.line) // the unit was written or given
	return o, nil
}

// unitless is the error of a number that nobody gave a unit to.
func (in *input) unitless(line int, text []byte) error {
	t := show(bytes.TrimSpace(text))
	return in.usagef(line, "%s has no unit: %ss? %sms?", t, t, t).Hintf("--unit s, ms, us or ns")
}
