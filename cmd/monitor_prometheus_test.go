package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// exporter speaks for both locks of testdata/monitor: healthy, until a lease
// is lost.
type exporter struct{ scrapes, lost atomic.Int64 }

func (e *exporter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	n := e.scrapes.Add(1)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	histogram := func(name, labels, edge string, count int64) {
		fmt.Fprintf(w, "# TYPE %s histogram\n", name)
		fmt.Fprintf(w, "%s_bucket{%s,le=\"%s\"} %d\n%s_bucket{%s,le=\"+Inf\"} %d\n%s_sum{%s} %d\n%s_count{%s} %d\n",
			name, labels, edge, count, name, labels, count, name, labels, count, name, labels, count)
	}
	const stock, ours, report = `lock="checkout-stock"`, `lock="nightly-report"`, `app="report"`
	histogram("lock_acquire_seconds", stock, "0.45", 10*n)
	histogram("lock_hold_seconds", stock, "0.8", 10*n)
	histogram("lock_takeover_seconds", stock, "5", 1)
	histogram("report_lock_wait", report, "500", 10*n)
	histogram("report_lock_hold_milliseconds", report, "20000", 10*n)
	histogram("lock_takeover_seconds", ours, "20", 1)
	fmt.Fprintf(w, "lock_lease_remaining_seconds_bucket{%s,le=\"1.62\"} 0\nlock_lease_remaining_seconds_bucket{%s,le=\"+Inf\"} %d\nlock_lease_remaining_seconds_count{%s} %d\n", ours, ours, n, ours, n)
	fmt.Fprintf(w, "lock_acquire_failures_total{%s} 0\nreport_lock_total{%s,result=\"timeout\"} 0\n", stock, report)
	fmt.Fprintf(w, "lock_renewals_total{%s} %d\nlock_renew_failures_total{%s} 0\n", ours, n, ours)
	fmt.Fprintf(w, "lock_leases_lost_total{%s} %d\nreport_lock_lost_total{%s} 0\n", stock, e.lost.Load(), report)
	fmt.Fprintf(w, "lock_call_timeouts_total{%s} 0\nlock_held_seconds{%s} 3\n", stock, ours)
}

// TestMonitorOnRealPrometheus runs every expression of the rules and of the
// dashboard on a real server, and sees a lost lease become an alert.
func TestMonitorOnRealPrometheus(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a server")
	}
	binary := installed(t, "prometheus")
	dir := t.TempDir()
	rules, board := filepath.Join(dir, "locks.rules.yml"), filepath.Join(dir, "locks.json")
	code, document, stderr := run("", "monitor", "-f", watched, "-o", "json", "--out", "rules="+rules, "--out", "dashboard="+board)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	process := &exporter{}
	target := httptest.NewServer(process)
	defer target.Close()
	config := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [locks.rules.yml]\nscrape_configs:\n- job_name: locks\n  static_configs: [{targets: [%q]}]\n",
		strings.TrimPrefix(target.URL, "http://"))
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	server := startPrometheus(ctx, t, binary, dir)

	var doc watchesDoc
	if err := json.Unmarshal([]byte(document), &doc); err != nil {
		t.Fatal(err)
	}
	exprs := dashboardExprs(t, board)
	for _, w := range doc.Services {
		for _, r := range w.Records {
			exprs = append(exprs, r.Record+"{lock=\""+w.Service+"\"}")
		}
	}
	// Every recorded series and every graph comes to have a value; what counts
	// in windows without an event is NaN, which is one.
	until(ctx, t, "values of all expressions", func() string {
		for _, expr := range exprs {
			if strings.Contains(expr, "before5m") || strings.HasSuffix(expr, "> 0.5") {
				continue // compares with an hour ago; an annotation, empty while nothing is lost
			}
			if n, err := server.query(ctx, expr); err != nil || n == 0 {
				return fmt.Sprintf("%s: %d series, %v", expr, n, err)
			}
		}
		return ""
	})
	for _, w := range doc.Services {
		for _, al := range w.Alerts {
			if n, err := server.query(ctx, al.Expr); err != nil || n != 0 {
				t.Errorf("%s of a healthy %s: %d series, %v", al.Alert, w.Service, n, err)
			}
		}
	}
	process.lost.Store(1)
	until(ctx, t, "the alert", func() string {
		alerts, err := server.firing(ctx)
		if err != nil || !slices.Equal(alerts, []string{"checkout-stock LockLeaseLost"}) {
			return fmt.Sprintf("firing: %q, %v", alerts, err)
		}
		return ""
	})
}

// until polls a server that has no way to tell when it is ready.
func until(ctx context.Context, t *testing.T, what string, missing func() string) {
	t.Helper()
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for {
		why := missing()
		if why == "" {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("waiting for %s: %s", what, why)
		case <-tick.C:
		}
	}
}

// dashboardExprs are the expressions of a dashboard file.
func dashboardExprs(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Annotations struct{ List []struct{ Expr string } }
		Panels      []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, a := range board.Annotations.List {
		out = append(out, a.Expr)
	}
	for _, p := range board.Panels {
		for _, each := range p.Targets {
			out = append(out, each.Expr)
		}
	}
	if len(out) < 10 {
		t.Fatalf("the dashboard has %d expressions", len(out))
	}
	return out
}

type prometheus struct{ url string }

// startPrometheus runs a server on a free port of the loopback until the test
// ends.
func startPrometheus(ctx context.Context, t *testing.T, binary, dir string) prometheus {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.CommandContext(ctx, binary, "--config.file="+filepath.Join(dir, "prometheus.yml"),
		"--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	p := prometheus{"http://" + address}
	until(ctx, t, "Prometheus", func() string {
		if err := p.get(ctx, "/-/ready", nil); err != nil {
			return err.Error()
		}
		return ""
	})
	return p
}

func (p prometheus) get(ctx context.Context, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+path, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if into != nil {
		if err := json.NewDecoder(response.Body).Decode(into); err != nil {
			return err
		}
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, response.Status)
	}
	return nil
}

// query is how many series an instant query returns.
func (p prometheus) query(ctx context.Context, expr string) (int, error) {
	var answer struct {
		Error string
		Data  struct{ Result []any }
	}
	if err := p.get(ctx, "/api/v1/query?query="+url.QueryEscape(expr), &answer); err != nil {
		return 0, fmt.Errorf("%w: %s", err, answer.Error)
	}
	return len(answer.Data.Result), nil
}

// firing are the locks and alerts that fire.
func (p prometheus) firing(ctx context.Context) ([]string, error) {
	var answer struct {
		Data struct {
			Alerts []struct {
				State  string
				Labels map[string]string
			}
		}
	}
	err := p.get(ctx, "/api/v1/alerts", &answer)
	var out []string
	for _, a := range answer.Data.Alerts {
		if a.State == "firing" {
			out = append(out, a.Labels["lock"]+" "+a.Labels["alertname"])
		}
	}
	return out, err
}
