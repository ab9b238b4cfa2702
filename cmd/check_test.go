package cmd

import (
	"strings"
	"testing"
)

// What is typed counts on top of the plan file: a hold of 20 ms, a pause of 9 s
// and a margin leave no lease inside an RTO of 100 ms (F1, O1).
func TestCheckTakesInputsOnTopOfThePlanFile(t *testing.T) {
	args := []string{"check", "-f", "../testdata/lockplan.yaml", "--service", "stock-deduction"}
	if code, _, stderr := run("", args...); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if code, _, stderr := run("", append(args, "--rto", "100ms", "--pause", "9s")...); code != 3 || !strings.Contains(stderr, "LP103") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
