package cmd

import (
	"strings"
	"testing"
)

func TestOptimumInEveryForm(t *testing.T) {
	args := []string{"tradeoff", "--p99", "200ms", "--p999", "800ms", "--pause", "1.5s", "--rate", "10/s", "--fencing", "yes",
		"--optimise", "--cost-false-expiry", "50", "--cost-blocked-second", "200", "--crash-rate", "1/d"}
	for _, form := range []string{"table", "json", "yaml", "csv", "markdown"} {
		code, stdout, stderr := run("", append(args, "-o", form)...)
		if code != 0 || !strings.Contains(stdout, "least cost") {
			t.Errorf("%s: exit %d, %s", form, code, stdout)
		}
		if told := strings.Contains(stdout+stderr, "least expected cost: ") || strings.Contains(stdout, "cost_per_day"); !told {
			t.Errorf("%s: the cost is not told: %s", form, stderr)
		}
	}
}

func TestNothingDecides(t *testing.T) {
	for _, c := range []struct {
		expiry, blocked string
		code            int
	}{{"0", "0", 2}, {"0", "1", 0}, {"1", "0", 0}} {
		code, _, stderr := run("", "tradeoff", "--p999", "800ms", "--pause", "1.5s", "--rate", "10/s", "--rto", "9s", "--fencing", "yes",
			"--optimise", "--cost-false-expiry", c.expiry, "--cost-blocked-second", c.blocked, "--crash-rate", "1/d")
		if code != c.code {
			t.Errorf("%+v: exit %d: %s", c, code, stderr)
		}
	}
}

// What is drawn of claimed renewals, of microseconds and of years.
func TestChartTellsWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"false expiry: not known", []string{"--p99", "20s", "--p999", "40s", "--pause", "1.5s", "--mode", "renewed"}},
		{"false expiry: below 1e-15 throughout", []string{"--p99", "2us", "--p999", "8us", "--pause", "10us", "--margin", "1us"}},
	} {
		_, stdout, _ := run("", append([]string{"tradeoff"}, c.args...)...)
		if !strings.Contains(stdout, c.want) {
			t.Errorf("%v: no %q in\n%s", c.args, c.want, stdout)
		}
	}
}
