package input

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
)

// maxInput is the longest duration that makes sense as a lock's clock; it
// also keeps every sum of the model far from overflow.
const maxInput = 3650 * dur.Day

// maxCount bounds counts for the same reason.
const maxCount = 1_000_000

// Check reads the text of one value as its key's type and reports what is
// wrong with it.
func Check(key Key, v Value) error {
	_, err := parse(key, v)
	return err
}

// parse reads a value as its key's type: time.Duration, calc.Ratio, int,
// float64, bool or string.
func parse(key Key, v Value) (any, error) {
	out, err := parseText(key, v.Text())
	if err != nil {
		return nil, v.Wrap(key.Name, err)
	}
	return out, nil
}

func parseText(key Key, text string) (any, error) {
	switch key.Type {
	case Duration:
		d, err := dur.Parse(text)
		if err == nil && d > maxInput {
			return nil, fault.Usagef("duration %q is longer than %s", text, dur.Format(maxInput))
		}
		return d, err
	case Ratio:
		r, err := calc.ParseRatio(text)
		if err == nil && r == 0 && key.Name != "drift" {
			return nil, fault.Usagef("a %s of 0", key.Name).Hintf("a number above 0, such as 3")
		}
		return r, err
	case Count:
		n, err := strconv.Atoi(text)
		least := 1
		if key.Name == "failures" {
			least = 0
		}
		if err != nil || n < least || n > maxCount {
			return nil, fault.Usagef("number %q is no whole number from %d to %d", text, least, maxCount)
		}
		return n, nil
	case Rate:
		return ParseRate(text)
	case Quantile:
		q, err := strconv.ParseFloat(text, 64)
		if err != nil || !(q > 0 && q < 1) {
			e := fault.Usagef("percentile %q is no fraction between 0 and 1", text)
			return nil, e.Hintf("P99.9 is 0.999")
		}
		return q, nil
	case YesNo, Switch:
		switch strings.ToLower(text) {
		case "yes", "true":
			return true, nil
		case "no", "false":
			return false, nil
		}
		return nil, fault.Usagef("%q is neither yes nor no", text)
	case Choice:
		if !slices.Contains(key.Choices, text) {
			return nil, fault.Usagef("%q is not one of %s", text, strings.Join(key.Choices, ", "))
		}
		return text, nil
	case Text, Files:
		if text == "" {
			return nil, fault.Usagef("an empty text")
		}
	}
	return text, nil
}

// ParseRate reads "50/s", "3/m", "2/h" or "7/d" as events per second.
func ParseRate(text string) (float64, error) {
	number, unit, _ := strings.Cut(text, "/")
	per, ok := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": dur.Day}[unit]
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(n > 0) || math.IsInf(n, 1) || n > 1e12 || strings.ContainsAny(number, "xXpP_+") {
		return 0, fault.Usagef("rate %q cannot be read", text).Hintf("events per s, m, h or d, such as 50/s")
	}
	return n / per.Seconds(), nil
}
