// Package finding is a rule's verdict as data: what was seen, what the limit
// is, and what to write instead.
package finding

import (
	"fmt"
	"strings"
	"time"
)

// Severity orders findings; the zero value is Info.
type Severity int

// The three severities of the catalogue.
const (
	Info Severity = iota
	Warning
	Error
)

var names = [...]string{Info: "info", Warning: "warning", Error: "error"}

func (s Severity) String() string { return names[s] }

// MarshalText spells the severity as the JSON contract does.
func (s Severity) MarshalText() ([]byte, error) { return []byte(names[s]), nil }

// UnmarshalText reads "info", "warning" or "error".
func (s *Severity) UnmarshalText(text []byte) error {
	for i, name := range names {
		if name == string(text) {
			*s = Severity(i)
			return nil
		}
	}
	return fmt.Errorf("severity %q is not one of %s", text, strings.Join(names[:], ", "))
}

// Finding is one verdict of one rule.
type Finding struct {
	ID       string // "LP101"
	Severity Severity
	Message  string         // what was seen and what it means, with units
	Fix      string         // what to type or write instead
	Value    *time.Duration // the value that was seen, where there is one
	Limit    *time.Duration // the limit it was held against
	File     string         // where the value stands, where that is known
	Line     int            // 1-based; 0 is unknown
}

// Of returns a pointer to d, for Value and Limit.
func Of(d time.Duration) *time.Duration { return &d }

// Worst is the highest severity among fs; ok is false when there are none.
func Worst(fs []Finding) (worst Severity, ok bool) {
	for _, f := range fs {
		ok = true
		worst = max(worst, f.Severity)
	}
	return worst, ok
}
