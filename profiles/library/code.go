package library

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// renderCode writes a source file in the library's language. Every setting
// stands in it a second time, as a remark that check reads.
func renderCode(fit Fitted, service, form string) (string, error) {
	lib := fit.Library
	text, ok := lib.Sheet().Code[form]
	if !ok {
		return "", fault.Usagef("%s is not written as %s", lib.Name(), form)
	}
	c := code{fit: fit, ID: identifier(service), Version: lib}
	mark := "//"
	if form == "py" {
		mark = "#"
	}
	var out strings.Builder
	end := "."
	if form == "go" {
		end = ". DO NOT EDIT."
		fmt.Fprintf(&out, "%s Code %s%s\n", mark, heading(fit, service), end)
	} else {
		fmt.Fprintf(&out, "%s %s%s\n", mark, heading(fit, service), end)
	}
	for _, s := range fit.Settings {
		fmt.Fprintf(&out, "%s %s\n%s lockplan: %s = %s\n", mark, s.Provenance(lib), mark, s.Key, s.Text)
	}
	out.WriteString("\n")
	body, err := fill(text, c)
	if err != nil {
		return "", fault.Usagef("%s as %s: %w", lib.Name(), form, err)
	}
	return out.String() + body, nil
}

// code is what a template sees.
type code struct {
	fit     Fitted
	ID      string // the service as an identifier
	Version Library
}

func (c code) setting(key string) (Setting, bool) {
	for _, s := range c.fit.Settings {
		if s.Key == key {
			return s, true
		}
	}
	return Setting{}, false
}

// Has reports whether a key is set.
func (c code) Has(key string) bool {
	_, ok := c.setting(key)
	return ok
}

// Before reports whether the library is older than major.minor.
func (c code) Before(major, minor int) bool {
	v, ok := c.Version.(interface{ before(int, int) bool })
	return ok && v.before(major, minor)
}

// Raw is a setting's text.
func (c code) Raw(key string) (string, error) {
	s, ok := c.setting(key)
	if !ok {
		return "", fmt.Errorf("%s is not set", key)
	}
	return s.Text, nil
}

func (c code) dur(key string) (time.Duration, error) {
	text, err := c.Raw(key)
	if err != nil {
		return 0, err
	}
	k, _ := c.fit.Library.Sheet().Key(key)
	return k.Unit.Parse(text)
}

// Go is a duration as a Go expression: 1500 * time.Millisecond.
func (c code) Go(key string) (string, error) {
	d, err := c.dur(key)
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Second, "Second"}, {time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"}} {
		if d%u.unit == 0 {
			return fmt.Sprintf("%d * time.%s", d/u.unit, u.name), err
		}
	}
	return fmt.Sprintf("%d * time.Nanosecond", d), err
}

// Ms is a duration in whole milliseconds, rounded down.
func (c code) Ms(key string) (int64, error) {
	d, err := c.dur(key)
	return d.Milliseconds(), err
}

// Sec is a duration in decimal seconds.
func (c code) Sec(key string) (string, error) {
	d, err := c.dur(key)
	return Decimal.Format(d), err
}

// Delay is the delay of a Redisson strategy, in milliseconds.
func (c code) Delay() (int64, error) {
	if c.Has("retryInterval") {
		return c.Ms("retryInterval")
	}
	text, err := c.Raw("retryDelay")
	if err != nil {
		return 0, err
	}
	delay, why := redisson{version: newest}.delayStrategy(text, true)
	if why != "" {
		return 0, fmt.Errorf("%q %s", text, why)
	}
	return delay(0).Milliseconds(), nil
}
