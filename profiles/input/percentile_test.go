package input

import (
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/calc/spell"
)

// A plan on the median is told what it leaves out; P99 and above are usual.
func TestLowPercentile(t *testing.T) {
	for q, want := range map[string]string{"0.5": "up to 50 % of the holds", "0.99": "", "0.999": ""} {
		got, err := Resolve(said("p50", "1s", "p99", "2s", "p999", "3s", "percentile", q), Outside{})
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, f := range got.Findings {
			if f.ID == rule.LP208.ID && strings.Contains(f.Message, "planned at") {
				said = f.Message
			}
		}
		if want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("%s: %q", q, said)
		}
	}
}

// A hint that names a claim names an input that states just that quantile.
func TestClaimsAreInputs(t *testing.T) {
	for _, c := range claimed {
		key, ok := spell.Claim(c.q)
		if longest := c.q == 1; ok == longest || ok && key != c.key {
			t.Errorf("%g: %q, %v; the input is %s", c.q, key, ok, c.key)
		}
	}
}
