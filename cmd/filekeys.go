package cmd

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/profiles/input"
)

var (
	fileFlag  = regexp.MustCompile(`--(hold|pauses|rtts) ([\w.]+)`)
	inputFlag = regexp.MustCompile(`--([a-z][a-z0-9-]*)`)
)

// fileKeys spells the inputs in a hint as a plan file does, for those who
// typed no flag: "--rto 5s" is "rto: 5s" there, "--hold FILE" "hold: {file:
// FILE}".
func fileKeys(hint string) string {
	hint = fileFlag.ReplaceAllString(hint, "$1: {file: $2}")
	var out strings.Builder
	last := 0
	for _, at := range inputFlag.FindAllStringSubmatchIndex(hint, -1) {
		i := slices.IndexFunc(input.Keys, func(k input.Key) bool { return k.Name == hint[at[2]:at[3]] })
		if i < 0 {
			continue
		}
		out.WriteString(hint[last:at[0]] + input.Keys[i].Name)
		last = at[1]
		switch {
		case input.Keys[i].Type == input.Switch:
			out.WriteString(": true")
		case strings.HasPrefix(hint[last:], " "): // a value comes
			out.WriteString(":")
		}
	}
	return out.String() + hint[last:]
}

func findingsInFile(found []finding.Finding) {
	for i := range found {
		found[i].Fix = fileKeys(found[i].Fix)
	}
}

func relaxationsInFile(found []plan.Relaxation) {
	for i := range found {
		found[i].Text = fileKeys(found[i].Text)
	}
}
