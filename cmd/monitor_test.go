package cmd

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// installed finds a program that a test cannot do without. LOCKPLAN_REAL=1
// makes its absence a failure.
func installed(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv("LOCKPLAN_REAL") == "1" {
		t.Fatalf("%s is not installed and LOCKPLAN_REAL=1", name)
	}
	t.Skipf("%s is not installed; LOCKPLAN_REAL=1 makes this a failure", name)
	return ""
}

const watched = "../testdata/monitor/lockplan.yaml"

// watchRules writes the rules of testdata/monitor into a folder.
func watchRules(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "locks.rules.yml")
	if code, _, stderr := run("", "monitor", "-f", watched, "--out", "rules="+path); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	return path
}

func TestMonitorRulesPassPromtool(t *testing.T) {
	promtool := installed(t, "promtool")
	if out, err := exec.Command(promtool, "check", "rules", watchRules(t)).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// day is the series of two locks, a sample a minute: checkout-stock in our
// names on two processes, nightly-report in its team's names on one.
type day struct {
	minutes int
	values  map[string][]float64
	gone    map[string]int // series that stop
}

// newDay is a healthy day: noise below every limit of the plan, a restart,
// a crash whose takeover meets the target, a failed renewal now and then.
func newDay(minutes int) *day {
	d := &day{minutes: minutes, values: map[string][]float64{}, gone: map[string]int{}}
	random := rand.New(rand.NewPCG(1, 2))
	chance := func(p float64) float64 {
		if random.Float64() < p {
			return 1
		}
		return 0
	}
	binomial := func(n int, p float64) (k float64) {
		for range n {
			k += chance(p)
		}
		return k
	}
	const reset = 80 // the minute in which process a restarts
	each := func(name string, restarts bool, next func(minute int) float64) {
		total, series := 0.0, make([]float64, minutes)
		for i := range series {
			if restarts && i == reset {
				total = 0
			}
			total += next(i)
			series[i] = total
		}
		d.values[name] = series
	}
	// histogram has n observations a minute of which a share lies beyond the
	// edge.
	histogram := func(name, labels, edge string, n int, share float64, restarts bool) {
		beyond := make([]float64, minutes)
		for i := range beyond {
			beyond[i] = binomial(n, share)
		}
		each(name+"_count{"+labels+"}", restarts, func(int) float64 { return float64(n) })
		each(name+"_bucket{le=\"+Inf\","+labels+"}", restarts, func(int) float64 { return float64(n) })
		each(name+`_bucket{le="`+edge+`",`+labels+"}", restarts, func(i int) float64 { return float64(n) - beyond[i] })
	}
	for _, process := range []string{"a", "b"} {
		stock := `lock="checkout-stock",instance="` + process + `"`
		histogram("lock_acquire_seconds", stock, "0.45", 120, 0.004, process == "a")
		histogram("lock_hold_seconds", stock, "0.8", 120, 0.0007, process == "a")
		each("lock_acquire_failures_total{"+stock+"}", process == "a", func(int) float64 { return binomial(120, 0.003) })
		each("lock_leases_lost_total{"+stock+"}", process == "a", func(int) float64 { return 0 })
		each("lock_call_timeouts_total{"+stock+"}", process == "a", func(int) float64 { return chance(0.2) })
		each("lock_takeover_seconds_count{"+stock+"}", process == "a", func(i int) float64 { return float64(b2i(process == "b" && i == reset)) })
		each("lock_takeover_seconds_bucket{"+stock+`,le="5.0"}`, process == "a", func(i int) float64 { return float64(b2i(process == "b" && i == reset)) })
	}
	const report, ours = `app="report"`, `lock="nightly-report"`
	histogram("report_lock_wait", report, "500", 12, 0.004, false)
	histogram("report_lock_hold_milliseconds", report, "20000", 12, 0.0007, false)
	histogram("lock_lease_remaining_seconds", ours, "1.62", 24, 1-0.0005, false) // almost all have more left
	each(`report_lock_total{app="report",result="timeout"}`, false, func(int) float64 { return binomial(12, 0.003) })
	each(`report_lock_lost_total{app="report"}`, false, func(int) float64 { return 0 })
	each("lock_renewals_total{"+ours+"}", false, func(int) float64 { return 24 })
	each("lock_renew_failures_total{"+ours+"}", false, func(int) float64 { return chance(0.1) })
	each("lock_takeover_seconds_count{"+ours+"}", false, func(int) float64 { return 0 })
	each("lock_takeover_seconds_bucket{"+ours+`,le="20"}`, false, func(int) float64 { return 0 })
	held := make([]float64, minutes)
	for i := range held {
		held[i] = 15 * random.Float64()
	}
	d.values["lock_held_seconds{"+ours+"}"] = held
	return d
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// add changes a counter's growth from a minute on.
func (d *day) add(t *testing.T, series string, from, to int, perMinute func(minute int) float64) {
	t.Helper()
	values, ok := d.values[series]
	if !ok {
		t.Fatalf("there is no series %s", series)
	}
	extra := 0.0
	for i := from; i < len(values); i++ {
		if i < to {
			extra += perMinute(i)
		}
		values[i] += extra
	}
}

func constant(v float64) func(int) float64 { return func(int) float64 { return v } }

// file is the day as a test of promtool: over the whole day exactly these
// alerts fire.
func (d *day) file(rules string, fires ...string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "rule_files: [%q]\nevaluation_interval: 1m\ntests:\n- interval: 1m\n  input_series:\n", rules)
	for series, values := range d.values {
		fmt.Fprintf(&out, "  - series: '%s'\n    values: '", series)
		for i, v := range values {
			if end, gone := d.gone[series]; gone && i >= end {
				fmt.Fprintf(&out, "stale ")
				break
			}
			out.WriteString(strconv.FormatFloat(v, 'f', -1, 64) + " ")
		}
		out.WriteString("'\n")
	}
	fmt.Fprintf(&out, "  promql_expr_test:\n  - expr: group by (lock, alertname) (count_over_time(ALERTS{alertstate=\"firing\"}[%dm]))\n    eval_time: %dm\n    exp_samples: ", d.minutes, d.minutes-1)
	if len(fires) == 0 {
		out.WriteString("[]\n")
	}
	for _, labels := range fires {
		fmt.Fprintf(&out, "\n    - labels: '%s'\n      value: 1\n", labels)
	}
	return out.String()
}

func firing(lock, alert string) string {
	return fmt.Sprintf(`{lock="%s",alertname="%s"}`, lock, alert)
}

func TestMonitorAlertsFireExactly(t *testing.T) {
	if testing.Short() {
		t.Skip("days of series")
	}
	promtool := installed(t, "promtool")
	rules := watchRules(t)
	const stock, report = `lock="checkout-stock",instance="b"`, `lock="nightly-report"`
	for _, c := range []struct {
		name    string
		minutes int
		fault   func(*testing.T, *day)
		fires   string
	}{
		{name: "a healthy day", minutes: 1440},
		{"one lease lost", 240, func(t *testing.T, d *day) {
			d.add(t, "lock_leases_lost_total{"+stock+"}", 150, 151, constant(1))
		}, firing("checkout-stock", "LockLeaseLost")},
		{"one lease lost, by the team's name", 240, func(t *testing.T, d *day) {
			d.add(t, `report_lock_lost_total{app="report"}`, 150, 151, constant(1))
		}, firing("nightly-report", "LockLeaseLost")},
		{"one takeover over the target", 240, func(t *testing.T, d *day) {
			d.add(t, "lock_takeover_seconds_count{"+stock+"}", 150, 151, constant(1))
		}, firing("checkout-stock", "LockTakeoverSlow")},
		{"hold P99.9 rises slowly past the plan's 800ms", 720, func(t *testing.T, d *day) {
			for _, part := range []string{"_count{" + stock + "}", `_bucket{le="+Inf",` + stock + "}"} {
				d.add(t, "lock_hold_seconds"+part, 150, 720, func(i int) float64 { return 0.002 * float64(i-150) })
			}
		}, firing("checkout-stock", "LockHoldAbovePlan")},
		{"hold P99.9 past 20s, in milliseconds", 240, func(t *testing.T, d *day) {
			d.add(t, `report_lock_hold_milliseconds_count{app="report"}`, 120, 240, constant(0.5))
		}, firing("nightly-report", "LockHoldAbovePlan")},
		{"renewals confirmed late", 240, func(t *testing.T, d *day) {
			d.add(t, `lock_lease_remaining_seconds_bucket{le="1.62",`+report+"}", 120, 240, constant(0.3))
		}, firing("nightly-report", "LockLeaseNearlyUsedUp")},
		{"three renewals of four fail", 240, func(t *testing.T, d *day) {
			d.add(t, "lock_renew_failures_total{"+report+"}", 150, 165, constant(18))
		}, firing("nightly-report", "LockRenewalsFailing")},
		{"a stuck task", 240, func(t *testing.T, d *day) {
			for i := range 10 {
				d.values["lock_held_seconds{"+report+"}"][150+i] = 40 + float64(i)
			}
		}, firing("nightly-report", "LockHeldTooLong")},
		{"waits above the planned 450ms", 240, func(t *testing.T, d *day) {
			d.add(t, "lock_acquire_seconds_count{"+stock+"}", 150, 180, constant(10))
		}, firing("checkout-stock", "LockAcquireSlow")},
		{"3 SECONDS typed as 3 MILLISECONDS", 240, func(t *testing.T, d *day) {
			d.add(t, "lock_acquire_failures_total{"+stock+"}", 150, 180, constant(84))
		}, firing("checkout-stock", "LockAcquireFailing")},
		{"a surge of call timeouts", 240, func(t *testing.T, d *day) {
			d.add(t, "lock_call_timeouts_total{"+stock+"}", 150, 160, constant(6))
		}, firing("checkout-stock", "LockCallTimeouts")},
		{"one of two processes lacks the edge that an alert counts", 240, func(t *testing.T, d *day) {
			delete(d.values, `lock_hold_seconds_bucket{le="0.8",lock="checkout-stock",instance="a"}`)
		}, firing("checkout-stock", "LockNotWatched")},
		{"a histogram that an alert counts vanishes", 240, func(t *testing.T, d *day) {
			for _, part := range []string{"_count{", `_bucket{le="20000",`, `_bucket{le="+Inf",`} {
				d.gone["report_lock_hold_milliseconds"+part+`app="report"}`] = 150
			}
		}, firing("nightly-report", "LockNotWatched")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDay(c.minutes)
			var fires []string
			if c.fault != nil {
				c.fault(t, d)
				fires = []string{c.fires}
			}
			path := filepath.Join(t.TempDir(), "test.yml")
			if err := os.WriteFile(path, []byte(d.file(rules, fires...)), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(promtool, "test", "rules", path).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestMonitorThresholds are the numbers of the plan: 5 s of RTO, an acquire
// wait of 1000 - 450 - 100 ms (A7), the hold's P99.9, and for the renewed
// lease T - S = P + M and six times the hold's P99 (H1).
func TestMonitorThresholds(t *testing.T) {
	code, out, stderr := run("", "monitor", "-f", watched, "-o", "json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var doc watchesDoc
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, w := range doc.Services {
		for _, al := range w.Alerts {
			got[w.Service+" "+al.Alert] = al.Threshold
		}
	}
	for alert, want := range map[string]string{
		"checkout-stock LockAcquireSlow": "450ms", "checkout-stock LockHoldAbovePlan": "800ms", "checkout-stock LockTakeoverSlow": "5s",
		"nightly-report LockAcquireSlow": "500ms", "nightly-report LockLeaseNearlyUsedUp": "1.62s", "nightly-report LockHeldTooLong": "48s",
		"nightly-report LockHoldAbovePlan": "20s", "nightly-report LockTakeoverSlow": "20s",
	} {
		if got[alert] != want {
			t.Errorf("%s fires beyond %q, want %q", alert, got[alert], want)
		}
	}
	for _, alert := range []string{"LockLeaseNearlyUsedUp", "LockRenewalsFailing", "LockHeldTooLong"} {
		if _, there := got["checkout-stock "+alert]; there {
			t.Errorf("checkout-stock has a fixed lease and the alert %s", alert)
		}
	}
	if want := []string{"call timeouts: needs lock_call_timeouts_total"}; !slices.Equal(doc.Services[1].NotWatched, want) {
		t.Errorf("not watched: %q, want %q", doc.Services[1].NotWatched, want)
	}
}

// A service's name may hold anything that prints: no rule, label or template
// may obey it.
func TestMonitorNamesAreData(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lockplan.yaml")
	name := `a"}) or vector(1) {{ .Value }} | # 'x`
	text := "apiVersion: lockplan/v1\nservices:\n  " + strconv.Quote(name) + ": {p999: 800ms, pause: 1s}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	rules := filepath.Join(t.TempDir(), "rules.yml")
	if code, _, stderr := run("", "monitor", "-f", file, "--out", "rules="+rules); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if out, err := exec.Command(installed(t, "promtool"), "check", "rules", rules).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestMonitorRefuses(t *testing.T) {
	for _, c := range []struct {
		name, service, says string
		code                int
	}{
		{"an unknown metric", "{p999: 1s, pause: 1s, metrics: {lock_hold: x_seconds}}", `metrics has no key "lock_hold"`, 2},
		{"a name without a unit", "{p999: 1s, pause: 1s, metrics: {lock_hold_seconds: hold_time}}", "does not say its unit", 2},
		{"no name", `{p999: 1s, pause: 1s, metrics: {lock_hold_seconds: "up) or vector(1"}}`, "is no metric", 2},
		{"a broken regular expression", `{p999: 1s, pause: 1s, metrics: {lock_hold_seconds: 'my_hold{app=~"("} s'}}`, "error parsing regexp", 2},
		{"an edge of its own", `{p999: 1s, pause: 1s, metrics: {lock_hold_seconds: 'my_hold{le="1"} s'}}`, "the label le is the rules' own", 2},
		{"a name in the matchers", `{p999: 1s, pause: 1s, metrics: {lock_hold_seconds: 'my_hold{a="b", __name__=~"x"} s'}}`, "the label __name__ is the rules' own", 2},
		{"no matcher", `{p999: 1s, pause: 1s, metrics: {lock_hold_seconds: 'my_hold{app="a" b="c"} s'}}`, "a comma is missing", 2},
		{"two units", `{p999: 1s, pause: 1s, metrics: {lock_hold_seconds: 'my_hold_milliseconds s'}}`, "says another unit than s", 2},
		{"a counter with a unit", `{p999: 1s, pause: 1s, metrics: {lock_leases_lost_total: 'my_lost ms'}}`, ":3: ", 2},
		{"nothing to watch", `{p999: 1s, pause: 1s, metrics: {lock_acquire_seconds: none, lock_acquire_failures_total: none, lock_hold_seconds: none, lock_leases_lost_total: none, lock_takeover_seconds: none, lock_call_timeouts_total: none}}`, "nothing is left to watch", 2},
		{"an infeasible plan", "{p999: 10s, pause: 1s, rto: 2s}", "LP103", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, _, stderr := run("apiVersion: lockplan/v1\nservices:\n  x: "+c.service+"\n", "monitor", "-f", "-")
			if code != c.code || !strings.Contains(stderr, c.says) {
				t.Errorf("exit %d, want %d, saying %q: %s", code, c.code, c.says, stderr)
			}
		})
	}
}

// The metrics of the plan file's page are ones that monitor takes.
func TestMonitorTakesTheDocumentedMetrics(t *testing.T) {
	page, err := os.ReadFile("../docs/plan-file.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "\n    metrics: ")
	metrics, _, found := strings.Cut(rest, "\n")
	if !found {
		t.Fatal("the page has no metrics")
	}
	code, out, stderr := run("apiVersion: lockplan/v1\nservices:\n  x: {p999: 1s, pause: 1s, metrics: "+metrics+"}\n", "monitor", "-f", "-")
	if code != 0 || !strings.Contains(out, "checkout_lock_hold_seconds{app=") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
}

// TestMonitorDashboardLoads reads the dashboard with Grafana's own types, and
// shows that they refuse a field that the schema does not have.
func TestMonitorDashboardLoads(t *testing.T) {
	board := filepath.Join(t.TempDir(), "locks.json")
	if code, _, stderr := run("", "monitor", "-f", watched, "--out", "dashboard="+board); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if os.Getenv("LOCKPLAN_REAL") != "1" {
		t.Skip("reading it with Grafana's types downloads them; LOCKPLAN_REAL=1 does")
	}
	reader := filepath.Join(t.TempDir(), "reader")
	build := exec.Command("go", "build", "-o", reader, ".")
	build.Dir = "../testdata/monitor/grafana"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(reader, board).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(board)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(board, []byte(strings.Replace(string(text), `"legendFormat"`, `"legendFormats"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(reader, board).CombinedOutput(); err == nil {
		t.Errorf("a dashboard with a field that does not exist passes: %s", out)
	}
}
