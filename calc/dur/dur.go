// Package dur reads and prints durations the way lockplan speaks them: Go's
// grammar plus d (24 h) and w (7 d), a unit always, never a sign.
package dur

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lockplan/lockplan/calc/fault"
)

// Day and Week are 24 h and 7 × 24 h: locks do not know calendars.
const (
	Day  = 24 * time.Hour
	Week = 7 * Day
)

// Max is the longest duration that is accepted, about 292 years.
const Max = time.Duration(math.MaxInt64)

var units = map[string]time.Duration{
	"ns": time.Nanosecond, "us": time.Microsecond, "µs": time.Microsecond, "μs": time.Microsecond,
	"ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": Day, "w": Week,
}

// Parse reads text such as "1.5s", "1h30m" or "2d". A bare 0 is zero; any
// other number needs its unit. Fractions finer than a nanosecond, negative
// values, spaces and overflow are errors that say so.
func Parse(text string) (time.Duration, error) {
	if text == "" {
		return 0, fault.Usagef("an empty duration").Hintf("a number with its unit, such as 1.5s or 800ms")
	}
	if text == "0" {
		return 0, nil
	}
	if err := vetCharacters(text); err != nil {
		return 0, err
	}
	var total uint64
	rest := text
	for rest != "" {
		digits := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if digits < 0 {
			return 0, bare(text, rest)
		}
		number := rest[:digits]
		rest = rest[digits:]
		end := strings.IndexFunc(rest, func(r rune) bool { return (r >= '0' && r <= '9') || r == '.' })
		if end < 0 {
			end = len(rest)
		}
		unit, ok := units[rest[:end]]
		if !ok || number == "" {
			return 0, unreadable(text)
		}
		part, err := scale(text, number, unit)
		if err != nil {
			return 0, err
		}
		sum, carry := bits.Add64(total, part, 0)
		if carry != 0 || sum > uint64(Max) {
			return 0, tooLong(text)
		}
		total = sum
		rest = rest[end:]
	}
	return time.Duration(total), nil
}

// scale multiplies a decimal by a unit, exactly.
func scale(text, number string, unit time.Duration) (uint64, error) {
	whole, frac, dotted := strings.Cut(number, ".")
	if strings.Contains(frac, ".") || (whole == "" && frac == "") {
		return 0, unreadable(text)
	}
	if dotted && frac == "" {
		return 0, unreadable(text)
	}
	var value uint64
	if whole != "" {
		n, err := strconv.ParseUint(whole, 10, 63)
		if err != nil {
			return 0, tooLong(text)
		}
		hi, lo := bits.Mul64(n, uint64(unit))
		if hi != 0 || lo > uint64(Max) {
			return 0, tooLong(text)
		}
		value = lo
	}
	frac = strings.TrimRight(frac, "0")
	if frac == "" {
		return value, nil
	}
	if len(frac) > 18 {
		return 0, tooFine(text)
	}
	n, _ := strconv.ParseUint(frac, 10, 64)
	hi, lo := bits.Mul64(n, uint64(unit))
	pow := uint64(1)
	for range len(frac) {
		pow *= 10
	}
	quo, rem := bits.Div64(hi, lo, pow) // hi < pow: n < pow and unit < 2^64
	if rem != 0 {
		return 0, tooFine(text)
	}
	return value + quo, nil
}

func vetCharacters(text string) error {
	if !utf8.ValidString(text) {
		return fault.Usagef("duration %q is not valid UTF-8", text)
	}
	if strings.HasPrefix(text, "-") {
		return fault.Usagef("duration %q is negative", text).Hintf("a time span cannot be below 0")
	}
	lower := strings.ToLower(text)
	for _, word := range []string{"nan", "inf", "infinity", "+inf"} {
		if lower == word {
			return fault.Usagef("duration %q is not a finite number", text).Hintf("a number with its unit, such as 1.5s")
		}
	}
	for _, r := range text {
		switch {
		case unicode.IsSpace(r) || unicode.Is(unicode.Zs, r):
			return fault.Usagef("duration %q contains a space", text).Hintf("write the number and its unit together, such as 3s")
		case unicode.IsDigit(r) && r > '9':
			return fault.Usagef("duration %q has a digit that is not 0-9", text).Hintf("type it with plain digits, such as 3s")
		case r == ',':
			return fault.Usagef("duration %q has a comma", text).Hintf("the decimal sign is a point: %s", strings.ReplaceAll(printable(text), ",", "."))
		case r == '+' || r == '_' || !unicode.IsPrint(r):
			return unreadable(text)
		}
	}
	// 1e3s would read as a unit "e" otherwise; people who type it mean a number.
	for i := 1; i < len(lower); i++ {
		if lower[i] == 'e' && lower[i-1] >= '0' && lower[i-1] <= '9' {
			return fault.Usagef("duration %q uses an exponent", text).Hintf("write the digits out, such as 1500ms")
		}
	}
	return nil
}

func bare(text, number string) error {
	if number != text {
		return fault.Usagef("duration %q ends in a number without a unit", text).Hintf("every number needs its unit, such as 1h30m")
	}
	return fault.Usagef("duration %q has no unit: %ss? %sms?", text, text, text).Hintf("write %ss or %sms", text, text)
}

func unreadable(text string) error {
	return fault.Usagef("duration %q cannot be read", text).Hintf("a number with its unit (ns, us, ms, s, m, h, d, w), such as 1.5s, 800ms or 1h30m")
}

func tooLong(text string) error {
	return fault.Usagef("duration %q is longer than %s", text, Format(Max.Truncate(Day)))
}

func tooFine(text string) error {
	return fault.Usagef("duration %q is finer than a nanosecond", text).Hintf("round it up to whole nanoseconds")
}

func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
}

// Format prints the shortest exact form that Parse reads back and that a
// person would write: 800ms (not 0.8s), 2.9s, 90s, 1h30m, 2d. Negative
// values, which only arise as differences, carry a minus sign.
func Format(d time.Duration) string {
	switch {
	case d == 0:
		return "0s"
	case d == math.MinInt64:
		return Format(d + 1)
	case d < 0:
		return "-" + Format(-d)
	case d < time.Microsecond:
		return decimal(d, time.Nanosecond) + "ns"
	case d < time.Millisecond:
		return decimal(d, time.Microsecond) + "us"
	case d < time.Second:
		return decimal(d, time.Millisecond) + "ms"
	case d < 2*time.Minute && d%time.Minute != 0:
		return decimal(d, time.Second) + "s"
	}
	return compound(d)
}

// decimal is d/unit with all its digits.
func decimal(d, unit time.Duration) string {
	whole := strconv.FormatInt(int64(d/unit), 10)
	rem := int64(d % unit)
	if rem == 0 {
		return whole
	}
	frac := strconv.FormatInt(int64(unit)+rem, 10)[1:]
	return whole + "." + strings.TrimRight(frac, "0")
}

// compound is the w d h m s form without its zero parts; weeks are used where
// that is shorter: 2w, but 3650d.
func compound(d time.Duration) string {
	weeks, days := parts(d, Week), parts(d, Day)
	if len(weeks) < len(days) {
		return weeks
	}
	return days
}

// parts is the compound form with most as its largest unit.
func parts(d, most time.Duration) string {
	var out strings.Builder
	for _, u := range [...]struct {
		name string
		size time.Duration
	}{{"w", Week}, {"d", Day}, {"h", time.Hour}, {"m", time.Minute}} {
		if n := d / u.size; n > 0 && u.size <= most {
			out.WriteString(strconv.FormatInt(int64(n), 10) + u.name)
			d -= n * u.size
		}
	}
	if d > 0 {
		out.WriteString(decimal(d, time.Second) + "s")
	}
	return out.String()
}

// Seconds prints d as a JSON number of seconds, exact to the nanosecond.
func Seconds(d time.Duration) string {
	if d < 0 {
		if d == math.MinInt64 {
			d++
		}
		return "-" + decimal(-d, time.Second)
	}
	return decimal(d, time.Second)
}
