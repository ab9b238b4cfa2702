package cmd

import (
	"fmt"
	"strings"
)

// compare shows what each file would change to; with gate set a change is a
// verdict.
func (a *app) compare(all []emitted, gate bool) error {
	var differ []string
	for _, e := range all {
		if e.before == e.after {
			continue
		}
		differ = append(differ, e.path)
		fmt.Fprintf(a.out, "--- %s\n+++ %s (planned)\n", e.path, e.path)
		for _, line := range diff(strings.Split(e.before, "\n"), strings.Split(e.after, "\n")) {
			fmt.Fprintln(a.out, line)
		}
	}
	if !gate || len(differ) == 0 {
		return nil
	}
	return verdict{exitNo, "not what the plan says: " + strings.Join(differ, ", "), "lockplan emit with --dir writes it"}
}

// diff lists every line with "-", "+" or " " in front. Files of a few hundred
// lines make the quadratic table cheap; longer ones are shown whole.
func diff(old, now []string) []string {
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == "" && now[len(now)-1] == "" {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	if len(old)*len(now) > 4_000_000 {
		return append(marked("-", old), marked("+", now)...)
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
	var out []string
	i, j := 0, 0
	for i < len(old) && j < len(now) {
		switch {
		case old[i] == now[j]:
			out = append(out, " "+old[i])
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			out = append(out, "-"+old[i])
			i++
		default:
			out = append(out, "+"+now[j])
			j++
		}
	}
	return append(append(out, marked("-", old[i:])...), marked("+", now[j:])...)
}

func marked(mark string, lines []string) []string {
	var out []string
	for _, line := range lines {
		out = append(out, mark+line)
	}
	return out
}
