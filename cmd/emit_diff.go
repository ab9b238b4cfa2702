package cmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// around is how many lines stand above and below a change.
const around = 3

// compare shows what each file would change to as a unified diff, which patch -p0
// applies; with gate set a change is a verdict.
func (a *app) compare(all []emitted, gate bool) error {
	var differ []string
	for _, e := range all {
		if e.stands && e.before == e.after {
			continue
		}
		differ = append(differ, e.path)
		old := patchName(e.path)
		if !e.stands {
			old = "/dev/null"
		}
		fmt.Fprintf(a.out, "--- %s\n+++ %s\n", old, patchName(e.path))
		for _, h := range hunks(diff(linesOf(e.before), linesOf(e.after))) {
			fmt.Fprint(a.out, h)
		}
	}
	if !gate || len(differ) == 0 {
		return nil
	}
	hint := "the same without --check writes it"
	if all[0].diffed {
		hint = "--out " + differ[0] + " in place of --diff and --check writes it"
	}
	return verdict{exitNo, "not what the plan says: " + strings.Join(differ, ", "), hint}
}

// patchName is a name as patch reads it: in quotes where it would read something
// else, ended by a tab where it would take the rest for a date.
func patchName(path string) string {
	if quoted := strconv.Quote(path); quoted != `"`+path+`"` {
		return quoted
	}
	if strings.Contains(path, " ") {
		return path + "\t"
	}
	return path
}

// linesOf are lines with their ends.
func linesOf(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// edit is a line of either side: ' ' is in both, '-' only in the old, '+' only in
// the new one.
type edit struct {
	mark byte
	line string
}

// diff lists every line. Files of a few hundred lines make the quadratic table
// cheap; longer ones are replaced whole.
func diff(old, now []string) []edit {
	if len(old)*len(now) > 4_000_000 {
		return append(marked('-', old), marked('+', now)...)
	}
	common := make([][]int, len(old)+1)
	for i := range common {
		common[i] = make([]int, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			if old[i] == now[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out []edit
	i, j := 0, 0
	for i < len(old) && j < len(now) {
		switch {
		case old[i] == now[j]:
			out = append(out, edit{' ', old[i]})
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			out = append(out, edit{'-', old[i]})
			i++
		default:
			out = append(out, edit{'+', now[j]})
			j++
		}
	}
	return append(append(out, marked('-', old[i:])...), marked('+', now[j:])...)
}

func marked(mark byte, lines []string) []edit {
	var out []edit
	for _, line := range lines {
		out = append(out, edit{mark, line})
	}
	return out
}

// hunks are the changes, each with the lines around it and where it stands.
func hunks(edits []edit) []string {
	var out []string
	old, now := 0, 0 // lines above edits[at]
	for at := 0; at < len(edits); {
		first := slices.IndexFunc(edits[at:], changed)
		if first < 0 {
			break
		}
		from := at + max(0, first-around)
		until, quiet := at+first, 0
		for ; until < len(edits) && quiet <= 2*around; until++ {
			if quiet++; changed(edits[until]) {
				quiet = 0
			}
		}
		until -= max(0, quiet-around)
		old, now = old+from-at, now+from-at
		h := edits[from:until]
		had, has := 0, 0
		var body strings.Builder
		for _, e := range h {
			if e.mark != '+' {
				had++
			}
			if e.mark != '-' {
				has++
			}
			body.WriteString(string(e.mark) + e.line)
			if !strings.HasSuffix(e.line, "\n") {
				body.WriteString("\n\\ No newline at end of file\n")
			}
		}
		out = append(out, fmt.Sprintf("@@ -%s +%s @@\n%s", span(old, had), span(now, has), body.String()))
		old, now, at = old+had, now+has, until
	}
	return out
}

func changed(e edit) bool { return e.mark != ' ' }

// span is a hunk's first line and how many there are; of none it is the line
// above.
func span(above, lines int) string {
	if lines == 0 {
		return fmt.Sprintf("%d,0", above)
	}
	return fmt.Sprintf("%d,%d", above+1, lines)
}
