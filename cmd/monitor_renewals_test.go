package cmd

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// One process that fails every renewal is not hidden by two that renew: its
// own failures outnumber its successes, the sum's do not. The counters of the
// second plan tell failures by a label of their own.
func TestMonitorRenewalsOfOneProcess(t *testing.T) {
	promtool := installed(t, "promtool")
	for _, c := range []struct{ name, metrics, tries, fails string }{
		{"our names", "", `lock_renewals_total{lock="a"%}`, `lock_renew_failures_total{lock="a"%}`},
		{"their names", `, metrics: {lock_renewals_total: 'renews{op="renew"}', lock_renew_failures_total: 'renews{op="renew",result="failed"}'}`,
			`renews{op="renew",result="ok"%}`, `renews{op="renew",result="failed"%}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "lockplan.yaml"), "apiVersion: lockplan/v1\nservices:\n  a: {p99: 8s, p999: 20s, pause: 1.5s, rtt: 10ms, mode: renewed, queue-sla: 1m, fencing: yes, failures: 1"+c.metrics+"}\n")
			if code, _, stderr := run("", "monitor", "-f", filepath.Join(dir, "lockplan.yaml"), "--out", "rules="+filepath.Join(dir, "r.yml")); code != 0 {
				t.Fatalf("exit %d: %s", code, stderr)
			}
			for _, bad := range []bool{true, false} {
				var series strings.Builder
				add := func(metric, instance, values string) {
					series.WriteString("      - {series: '" + strings.Replace(metric, "%", `,instance="`+instance+`"`, 1) + "', values: '" + values + "'}\n")
				}
				// The attempts of our names hold the failures; theirs are the
				// successes, and a sum over both results.
				failing, rest, firing := "0x400", "0+1x400", "0"
				if bad {
					failing, firing = "0+1x400", "1"
					if c.metrics != "" {
						rest = "0x400"
					}
				}
				add(c.tries, "bad", rest)
				add(c.fails, "bad", failing)
				for _, instance := range []string{"ok1", "ok2"} {
					add(c.tries, instance, "0+5x400")
					add(c.fails, instance, "0x400")
				}
				text := "rule_files: [r.yml]\nevaluation_interval: 15s\ntests:\n  - interval: 15s\n    input_series:\n" + series.String() +
					"    promql_expr_test:\n      - {expr: 'count(ALERTS{alertname=\"LockRenewalsFailing\",alertstate=\"firing\"}) or vector(0)', eval_time: 30m, exp_samples: [{labels: '{}', value: " +
					firing + "}]}\n"
				path := filepath.Join(dir, "t.yml")
				write(t, path, text)
				if out, err := exec.Command(promtool, "test", "rules", path).CombinedOutput(); err != nil {
					t.Errorf("one process fails %v: %v\n%s", bad, err, out)
				}
			}
		})
	}
}
