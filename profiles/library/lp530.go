package library

import (
	"fmt"
	"strconv"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP530 is rueidislock-majority-differs. It is raised where several services
// are seen together.
var LP530 = rule.Rule{
	ID: "LP530", Name: "rueidislock-majority-differs", Severity: finding.Error,
	Condition: "two services of one file differ in KeyMajority",
	Why: "A lock is a majority of KeyMajority x 2 - 1 keys. A process that counts fewer owns it by a key that another has lost, " +
		"while that one still has its own majority: two holders.",
	Fix: "one KeyMajority in every process that takes the same locks; an ignore with the reason where services share none",
	Example: rule.Example{
		Args: []string{"check", "-f", "lockplan.yaml"},
		Files: map[string]string{
			"lockplan.yaml": "apiVersion: lockplan/v1\nservices:\n  orders:\n    library: rueidislock\n    config: orders.yaml\n" +
				"  stock:\n    library: rueidislock\n    config: stock.yaml\n",
			"orders.yaml": "KeyMajority: 1\nNoLoopTracking: true\n",
			"stock.yaml":  "KeyMajority: 2\nNoLoopTracking: true\n",
		},
	},
}

// MajorityDiffers is LP530 for two configurations; ok is false where they
// count the same keys, or one is of another library.
func MajorityDiffers(other *Running, name string, own *Running) (f finding.Finding, ok bool) {
	a, b := other.Effective["KeyMajority"], own.Effective["KeyMajority"]
	if a == "" || b == "" || a == b {
		return f, false
	}
	v := own.Values["KeyMajority"]
	return finding.Finding{ID: LP530.ID, Severity: LP530.Severity, File: v.File, Line: v.Line,
		Message: fmt.Sprintf("KeyMajority is %s, a lock of %s keys; %s has %s, of %s", b, keysOfMajority(b), name, a, keysOfMajority(a)),
		Fix:     "KeyMajority " + a + " in both, if they take the same locks"}, true
}

func keysOfMajority(text string) string {
	n, _ := strconv.Atoi(text)
	return strconv.Itoa(2*n - 1)
}
