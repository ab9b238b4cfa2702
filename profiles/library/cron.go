package library

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
)

// cronFields are the bounds of the six fields of Spring's cron expressions, and
// the names of their values, from the least on.
var cronFields = []struct {
	least, most int
	names       string
}{{0, 59, ""}, {0, 59, ""}, {0, 23, ""}, {1, 31, ""}, {1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"}, {0, 7, "SUN MON TUE WED THU FRI SAT"}}

// cronMacros are Spring's names of whole expressions.
var cronMacros = map[string]string{
	"@yearly": "0 0 0 1 1 *", "@annually": "0 0 0 1 1 *", "@monthly": "0 0 0 1 * *", "@weekly": "0 0 0 * * 0",
	"@daily": "0 0 0 * * *", "@midnight": "0 0 0 * * *", "@hourly": "0 0 * * * *",
}

// cronYears are so many that every month has begun on every day of the week,
// leap years among them.
const cronYears = 28

// longestGap is the longest time between two runs of a cron expression of
// Spring's; ok is false where it is none that is read here (L, W and # are not).
// A schedule that names hours may stand still for one more when the clocks are
// changed.
func longestGap(expression string) (gap time.Duration, ok bool) {
	if macro, known := cronMacros[strings.ToLower(strings.TrimSpace(expression))]; known {
		expression = macro
	}
	parts := strings.Fields(expression)
	if len(parts) != len(cronFields) {
		return 0, false
	}
	var sets [6][]int
	for i, part := range parts {
		if sets[i], ok = cronSet(strings.ToUpper(part), i); !ok {
			return 0, false
		}
	}
	if slices.Contains(sets[5], 7) {
		sets[5] = append(sets[5], 0)
	}
	var times []time.Duration
	for _, h := range sets[2] {
		for _, m := range sets[1] {
			for _, s := range sets[0] {
				times = append(times, time.Duration(h)*time.Hour+time.Duration(m)*time.Minute+time.Duration(s)*time.Second)
			}
		}
	}
	for i := range times[1:] {
		gap = max(gap, times[i+1]-times[i])
	}
	first, last, before := times[0], times[len(times)-1], time.Time{}
	for day := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() <= 2000+cronYears; day = day.AddDate(0, 0, 1) {
		if !slices.Contains(sets[3], day.Day()) || !slices.Contains(sets[4], int(day.Month())) || !slices.Contains(sets[5], int(day.Weekday())) {
			continue
		}
		if !before.IsZero() {
			gap = max(gap, day.Sub(before)-last+first)
		}
		before = day
	}
	if before.IsZero() || gap == 0 || gap > 4*365*dur.Day {
		return 0, false
	}
	if len(sets[2]) < 24 {
		gap += time.Hour
	}
	return gap, true
}

// cronSet are the values of a field, in their order.
func cronSet(text string, field int) (out []int, ok bool) {
	f := cronFields[field]
	if text == "?" {
		text = "*"
	}
	names := strings.Fields(f.names)
	value := func(s string) (int, bool) {
		if i := slices.Index(names, s); i >= 0 {
			return f.least + i, true
		}
		n, err := strconv.Atoi(s)
		return n, err == nil && n >= f.least && n <= f.most
	}
	for part := range strings.SplitSeq(text, ",") {
		span, step, stepped := strings.Cut(part, "/")
		every := 1
		if stepped {
			n, err := strconv.Atoi(step)
			if err != nil || n < 1 {
				return nil, false
			}
			every = n
		}
		low, high, ranged := strings.Cut(span, "-")
		from, to := f.least, f.most
		if span != "*" {
			if from, ok = value(low); !ok {
				return nil, false
			}
			if to = from; stepped {
				to = f.most
			}
			if ranged {
				if to, ok = value(high); !ok || to < from {
					return nil, false
				}
			}
		}
		for n := from; n <= to; n += every {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), true
}
