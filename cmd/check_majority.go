package cmd

import (
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/library"
)

// oneMajority is LP530 for each service that counts a lock's keys otherwise
// than an earlier one.
func oneMajority(targets []target) {
	for i := range targets {
		t := &targets[i]
		for _, other := range targets[:i] {
			if f, differs := library.MajorityDiffers(other.Run, shown(other.name), t.Run); differs {
				t.Findings = append(t.Findings, f)
				rule.Sort(t.Findings)
				break
			}
		}
	}
}
