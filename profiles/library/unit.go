package library

import (
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
)

// IsTime reports whether a key of this unit holds a duration.
func (u Unit) IsTime() bool {
	switch u {
	case Millis, Seconds, Decimal, GoText, ISOText, SimpleTx:
		return true
	}
	return false
}

// Label is the unit as a comment says it.
func (u Unit) Label() string {
	switch u {
	case Millis:
		return "ms"
	case Seconds, Decimal:
		return "seconds"
	case GoText, ISOText, SimpleTx:
		return "unit in the value"
	case Factor:
		return "ratio"
	case Switch:
		return "yes/no"
	}
	return string(u)
}

// quantum is the finest step the unit can spell.
func (u Unit) quantum() time.Duration {
	switch u {
	case Seconds:
		return time.Second
	case Millis, Decimal, ISOText, SimpleTx:
		return time.Millisecond
	}
	return 1
}

// Format spells d, which must be a whole number of the unit's quanta.
func (u Unit) Format(d time.Duration) string {
	switch u {
	case Millis:
		return strconv.FormatInt(int64(d/time.Millisecond), 10)
	case Seconds:
		return strconv.FormatInt(int64(d/time.Second), 10)
	case Decimal:
		return dur.Seconds(d)
	case ISOText, SimpleTx:
		return "PT" + dur.Seconds(d) + "S"
	}
	return d.String()
}

// Up spells d rounded up to the unit, Down rounded down.
func (u Unit) Up(d time.Duration) string {
	return u.Format(calc.CeilTo(d, u.quantum()))
}

// Down spells d rounded down to the unit.
func (u Unit) Down(d time.Duration) string { return u.Format(d - d%u.quantum()) }

// Parse reads a duration as the key spells it.
func (u Unit) Parse(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	switch u {
	case Millis, Seconds:
		unit := map[Unit]time.Duration{Millis: time.Millisecond, Seconds: time.Second}[u]
		n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
		if err != nil {
			return 0, fault.Usagef("%q is not a whole number of %s", text, u.Label()).Hintf("a bare integer: the key counts %s", u.Label())
		}
		if n > int64(dur.Max/unit) || n < -int64(dur.Max/unit) {
			return 0, fault.Usagef("%q %s is longer than 292 years", text, u.Label())
		}
		return time.Duration(n) * unit, nil
	case Decimal:
		return seconds(text)
	case ISOText:
		return isoDuration(text)
	case SimpleTx:
		if d, err := isoDuration(text); err == nil {
			return d, nil
		}
		return simpleDuration(text)
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		if d, err := dur.Parse(text); err == nil { // d and w, and the hint for a bare number
			return d, nil
		} else {
			return 0, err
		}
	}
	return d, nil
}

// seconds reads decimal seconds and cuts them to milliseconds, as
// int(x*1000) does.
func seconds(text string) (time.Duration, error) {
	r, ok := new(big.Rat).SetString(text)
	if !ok || len(text) > 40 || strings.ContainsAny(text, "eE/xX") {
		return 0, fault.Usagef("%q is not a number of seconds", text).Hintf("decimal seconds, such as 0.8")
	}
	r.Mul(r, big.NewRat(1000, 1))
	n := new(big.Int).Quo(r.Num(), r.Denom())
	if !n.IsInt64() || n.CmpAbs(big.NewInt(int64(dur.Max/time.Millisecond))) > 0 {
		return 0, fault.Usagef("%q seconds is longer than 292 years", text)
	}
	return time.Duration(n.Int64()) * time.Millisecond, nil
}

// isoDuration reads the day and time part of ISO-8601: P1DT2H3M4.5S.
func isoDuration(text string) (time.Duration, error) {
	bad := fault.Usagef("%q is not an ISO-8601 duration", text).Hintf("PT30S, PT1M30S, PT0.5S")
	rest, ok := strings.CutPrefix(strings.ToUpper(text), "P")
	if !ok || rest == "" {
		return 0, bad
	}
	days, clock, dotT := strings.Cut(rest, "T")
	if dotT && clock == "" || days != "" && !strings.HasSuffix(days, "D") {
		return 0, bad
	}
	plain := strings.ToLower(days + clock)
	if strings.Contains(plain, "w") || strings.Contains(plain, "u") || strings.Contains(plain, "n") || strings.Contains(clock, "D") {
		return 0, bad
	}
	if d, err := dur.Parse(plain); err == nil && plain != "0" {
		return d, nil
	}
	return 0, bad
}

// simpleDuration reads Spring's and ShedLock's simple form: a whole number and
// at most one unit, ms when there is none.
func simpleDuration(text string) (time.Duration, error) {
	bad := fault.Usagef("%q is not a duration of Spring's", text).Hintf("a whole number with ms, s, m, h or d, or PT1M30S")
	text = strings.ToLower(text)
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	unit, ok := map[string]time.Duration{"ns": time.Nanosecond, "us": time.Microsecond, "": time.Millisecond, "ms": time.Millisecond,
		"s": time.Second, "m": time.Minute, "h": time.Hour, "d": dur.Day}[text[len(digits):]]
	n, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || n > int64(dur.Max/unit) || n < -int64(dur.Max/unit) {
		return 0, bad
	}
	return time.Duration(n) * unit, nil
}
