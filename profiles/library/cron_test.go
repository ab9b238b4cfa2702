package library

import (
	"testing"
	"time"
)

// By hand. A schedule that names hours stands still for one more when the
// clocks are changed.
func TestLongestGap(t *testing.T) {
	const day = 24 * time.Hour
	for expression, want := range map[string]time.Duration{
		"* * * * * *":          time.Second,
		"0 * * * * *":          time.Minute,
		"0 */15 * * * *":       15 * time.Minute,
		"0 0/7 * * * ?":        7 * time.Minute, // 56 to 0 are 4
		"0 0,10,15 * * * *":    45 * time.Minute,
		"0 5 * * * *":          time.Hour,
		"@hourly":              time.Hour,
		"0 0 3 * * *":          day + time.Hour,
		"@daily":               day + time.Hour,
		"0 0 8-18 * * *":       14*time.Hour + time.Hour,
		"0 0 9 * * MON-FRI":    3*day + time.Hour,
		"0 0 9-17/4 * * mon,7": 6*day - 8*time.Hour + time.Hour,
		"@weekly":              7*day + time.Hour,
		"0 0 0 1 * *":          31*day + time.Hour,
		"0 0 0 31 * *":         61*day + time.Hour, // March to May
		"@yearly":              366*day + time.Hour,
	} {
		if got, ok := longestGap(expression); !ok || got != want {
			t.Errorf("%q: %s, %v; want %s", expression, got, ok, want)
		}
	}
	for _, expression := range []string{"", "-", "0 0 * * *", "0 0 0 L * *", "0 0 0 * * 5#2", "0 0 0 15W * *", "60 * * * * *", "0 0 24 * * *", "0 0 0 30 2 *",
		"0 0 0 29 2 *", "0 0 0 * * FOO", "0 5-1 * * * *", "0 */0 * * * *", "@reboot", "0 0 0 * * * 2030"} {
		if got, ok := longestGap(expression); ok {
			t.Errorf("%q: %s", expression, got)
		}
	}
}
