package cmd

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// A program that asked for JSON gets JSON where there is no TTL to trade: 10
// samples say nothing of P99.9, which takes 2 995 (B3), and one failure is more
// than a library survives that gives up at the first.
func TestTradeoffWithoutATable(t *testing.T) {
	thin := filepath.Join(t.TempDir(), "thin.prom")
	write(t, thin, "a_seconds_bucket{le=\"1\"} 5\na_seconds_bucket{le=\"+Inf\"} 10\n")
	for _, c := range []struct {
		code int
		rule string
		args []string
	}{
		{4, "LP202", []string{"--hold", thin, "--since-start", "--mode", "fixed", "--pause", "1s"}},
		{3, "LP103", []string{"--library", "redisson@3.43", "--mode", "renewed", "--failures", "1", "--p99", "1s", "--p999", "2s"}},
	} {
		args := append([]string{"tradeoff"}, c.args...)
		code, out, stderr := run("", append(args, "-o", "json")...)
		var doc tradeoffDoc
		if err := json.Unmarshal([]byte(out), &doc); err != nil || code != c.code {
			t.Fatalf("%s: exit %d, %v: %s%s", c.rule, code, err, out, stderr)
		}
		if doc.Feasible || doc.Rows == nil || len(doc.Findings) == 0 || doc.Findings[0].ID != c.rule {
			t.Errorf("%+v", doc)
		}
		if _, csv, _ := run("", append(args, "-o", "csv")...); !strings.HasPrefix(csv, "ttl_seconds,mode,") || strings.Count(csv, "\n") != 1 {
			t.Errorf("csv:\n%s", csv)
		}
	}
}
