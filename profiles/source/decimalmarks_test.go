package source

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// typed does to a page what a hint says: its tr commands, up to the first word
// that is none.
func typed(page, hint string) string {
	hint = hint[strings.Index(hint, "tr "):]
	for command := range strings.SplitSeq(hint, "|") {
		words := strings.Fields(command)
		switch {
		case len(words) >= 3 && words[0] == "tr" && words[1] == "-d":
			page = strings.ReplaceAll(page, strings.Trim(words[2], ","), "")
			if strings.HasPrefix(words[2], ",") {
				page = strings.ReplaceAll(page, ",", "")
			}
		case len(words) >= 3 && words[0] == "tr":
			page = strings.ReplaceAll(page, words[1], words[2])
		}
	}
	return page
}

// What a hint says makes the numbers what they are: 4199 ms stays 4199 ms, and
// never becomes 4.199 ms. Where a comma may mean either both are named.
func TestHintsForCommasAreRight(t *testing.T) {
	query := func(page string) Query {
		q := Query{Unit: "ms"}
		if !strings.Contains(page, "hold_ms") {
			q.Format = "durations"
		}
		return q
	}
	for page, longest := range map[string]string{
		"id\thold_ms\n1\t1,000,000\n2\t5\n":     "1000000ms",
		"id\thold_ms\n1\t1,234.5\n2\t5\n":       "1234500us",
		"id\thold_ms\n1\t62,5\n2\t2.500\n":      "2500ms",
		"id\thold_ms\n1\t2.500,25\n2\t62,687\n": "2500250us",
		"2.500,25ms\n62,687ms\n":                "2500250us",
		"0,25\n1.000,5\n":                       "1000500us",
	} {
		_, err := text("x", page, query(page))
		refused(t, err, fault.Usage, "is not a duration")
		o := mustText(t, typed(page, fault.HintOf(err)), query(page))
		if want, _ := time.ParseDuration(longest); o.Dist.Max().Lower != want {
			t.Errorf("%q: longest %v, want %v", page, o.Dist.Max().Lower, want)
		}
	}
	for _, page := range []string{"id\thold_ms\n1\t4,199\n", "4,199 ms\n4 ms\n", "4,199\n"} {
		_, err := text("x", page, query(page))
		refused(t, err, fault.Usage, "may be a thousand and more, or a fraction", "tr -d ,", "tr -d . | tr , .")
	}
	// Points that group thousands beside decimal commas.
	german := "id;hold_ms\n1;62,687\n2;2.500\n"
	_, err := text("x", german, Query{})
	refused(t, err, fault.Usage, "which one is the decimal sign")
	o := mustText(t, typed(german, fault.HintOf(err)), Query{})
	if top := o.Dist.Max().Lower; top != 2500*time.Millisecond {
		t.Errorf("longest %v, want 2.5s", top)
	}
	// Where commas stand for something else too, tr would break the rest.
	for _, page := range []string{"id,hold_ms\n1,\"4,199\"\n", `{"hold_ms":"4,199"}` + "\n" + `{"hold_ms":"4,2"}`} {
		_, err := text("x", page, Query{Field: map[bool]string{true: "hold_ms"}[page[0] == '{']})
		refused(t, err, fault.Usage, "decimal point")
		if strings.Contains(fault.HintOf(err), "tr ") {
			t.Errorf("%q: %v", page, fault.HintOf(err))
		}
	}
}
