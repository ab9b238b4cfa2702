package cmd

import (
	"os"
	"testing"

	"github.com/lockplan/lockplan/calc/rollout"
)

// FuzzSidesOfDocument wants an order, a conflict or an error for any two
// plans in one document, never a panic.
func FuzzSidesOfDocument(f *testing.F) {
	for _, path := range []string{"../testdata/rollout/fixed.yaml", "../testdata/rollout/renewed.yaml", "../testdata/lockplan.yaml", "../testdata/monitor/lockplan.yaml"} {
		if _, err := os.Stat(path); err != nil {
			f.Fatal(err)
		}
		_, out, _ := run("", "plan", "-f", path, "-o", "json")
		f.Add([]byte(out))
	}
	f.Add([]byte(`{"schema":"lockplan/plan/v1","library":"generic","mode":"fixed","feasible":true,"ttl_seconds":-1,"stop_work_seconds":1,"max_hold_seconds":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		sides, err := sidesOfDocument("plan.json", text)
		if err != nil || len(sides) > 8 {
			return
		}
		for _, a := range sides {
			rollout.Order(a.Side, sides[0].Side)
			rollout.Order(sides[0].Side, a.Side)
		}
	})
}
