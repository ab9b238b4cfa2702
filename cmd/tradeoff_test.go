package cmd

import (
	"encoding/json"
	"regexp"
	"strconv"
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
		{"- false expiry at most; estimate < 1e-15 ", []string{"--p99", "2us", "--p999", "8us", "--pause", "10us", "--margin", "1us"}},
		// No stop that long was seen, which is not that there is none.
		{"- false expiry at most; estimate < 1e-15 ", []string{"--p99", "20s", "--p999", "40s", "--pauses", "../testdata/source/jdk17-g1.log", "--mode", "renewed", "--margin", "700ms"}},
		{"* false expiry (log)  - at most ", []string{"--p99", "200ms", "--p999", "800ms", "--pause", "1.5s"}},
	} {
		_, stdout, _ := run("", append([]string{"tradeoff"}, c.args...)...)
		if !strings.Contains(stdout, c.want) {
			t.Errorf("%v: no %q in\n%s", c.args, c.want, stdout)
		}
		// The bound of every TTL lies between the chart's ends.
		ends := regexp.MustCompile(`(?m)^ *([0-9][0-9.e-]*) \|.*\|`).FindAllStringSubmatch(stdout, 2)
		if len(ends) < 2 {
			continue
		}
		high, _ := strconv.ParseFloat(ends[0][1], 64)
		low, _ := strconv.ParseFloat(ends[1][1], 64)
		_, stdout, _ = run("", append([]string{"tradeoff", "-o", "json"}, c.args...)...)
		var d tradeoffDoc
		if err := json.Unmarshal([]byte(stdout), &d); err != nil {
			t.Fatal(err)
		}
		for _, r := range d.Rows {
			if u := r.FalseExpiryUpper; u != nil && (*u > high || *u < low) {
				t.Errorf("%v: %v is at most %g, the chart is from %g to %g", c.args, r.TTL, *u, low, high)
			}
		}
	}
}
