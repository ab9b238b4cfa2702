package formula

import (
	"fmt"
	"strings"
)

// Page is docs/model.md: the whole model in Markdown.
func Page() string {
	var out strings.Builder
	out.WriteString(introduction)
	out.WriteString("\n## Symbols\n\nAll are durations unless said otherwise.\n\n| symbol | meaning | default |\n|---|---|---|\n")
	for _, s := range Symbols {
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", s.Name, s.Meaning, s.Default)
	}
	for _, s := range Sections {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n", s.Title, s.Intro)
		for _, e := range s.Entries {
			fmt.Fprintf(&out, "\n### %s: %s\n\n", e.ID, e.Title)
			for _, line := range strings.Split(e.Formula, "; ") {
				fmt.Fprintf(&out, "    %s\n", line)
			}
			fmt.Fprintf(&out, "\n%s\n\n%s\n\nSee %s.\n", e.Why, e.Example, strings.Join(linked(e.See), ", "))
		}
	}
	out.WriteString("\n## Terms\n")
	for _, e := range Terms {
		fmt.Fprintf(&out, "\n**%s**: %s See %s.\n", e.ID, e.Why, strings.Join(linked(e.See), ", "))
	}
	return out.String()
}

func linked(see []string) []string {
	out := make([]string, len(see))
	for i, id := range see {
		out[i] = id
		if strings.HasPrefix(id, "LP") {
			out[i] = "[" + id + "](rules/" + id + ".md)"
		}
	}
	return out
}

const introduction = `# The timing model

A distributed lock is a lease: the lock service takes it back when its holder stays silent for too long, because a dead
holder and a slow one look the same from outside. So there are two ways to be wrong. A lease that is too short is taken
from a holder that still works, and two processes write. A lease that is too long blocks everybody after a crash.
lockplan works out the room between the two.

Four clocks are kept apart, and each has a section here:

- the **lease TTL**, how long a silent holder keeps the lock: F1 and F2 without renewal, R1 to R5 with it;
- the **renew call**, how long one renewal may take: R2;
- the **acquire wait**, how long a caller queues: A1 to A6;
- the **business deadline**, which bounds the wait and the work together.

Every value is a whole number of nanoseconds. Rounding goes to the safe side: TTLs and bounds up, intervals, waits and
timeouts down. ` + "`lockplan explain F1`" + ` prints any entry of this page.
`
