package source

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
)

// program finds a program that a test runs for real, or skips the test.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("LOCKPLAN_REAL") == "1" {
			t.Fatalf("%s is not installed", name)
		}
		t.Skipf("%s is not installed", name)
	}
	return path
}

// target serves the recorded pages of a real client: the first until later is
// set, then the second; as protobuf where the scraper asks for it and the
// client has it.
func target(t *testing.T, later *atomic.Bool, scrapes *atomic.Int64, textOnly bool) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := "locks-before"
		if later.Load() {
			name = "locks"
		}
		kind, form := "text/plain; version=0.0.4", ".prom"
		if strings.Contains(r.Header.Get("Accept"), "protobuf") && !textOnly {
			kind, form = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited", ".pb"
		}
		content, err := os.ReadFile(filepath.Join("..", "..", "testdata", "source", name+form))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", kind)
		w.Write(content)
		scrapes.Add(1)
	}))
	t.Cleanup(server.Close)
	return server
}

// startPrometheus runs a server that scrapes the targets five times a second.
func startPrometheus(t *testing.T, targets []string, args ...string) string {
	t.Helper()
	path := program(t, "prometheus")
	dir := t.TempDir()
	config := fmt.Sprintf("global: {scrape_interval: 200ms}\nscrape_configs:\n- {job_name: locks, static_configs: [{targets: [%s]}]}\n", strings.ReplaceAll(strings.Join(targets, ", "), "http://", ""))
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	var output bytes.Buffer
	command := exec.Command(path, append([]string{"--config.file=" + filepath.Join(dir, "prometheus.yml"),
		"--storage.tsdb.path=" + filepath.Join(dir, "data"), "--web.listen-address=" + address}, args...)...)
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
		if t.Failed() {
			t.Logf("prometheus said:\n%s", output.String())
		}
	})
	return "http://" + address
}

// until tries again a few times a second.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// A real Prometheus that scrapes a real client's pages gives the bounds that
// the two pages give as files: classic buckets, and native ones where the
// server keeps them.
func TestRealPrometheus(t *testing.T) {
	for name, args := range map[string][]string{"classic": nil, "native": {"--enable-feature=native-histograms"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			againstFiles(t, name == "native", args...)
		})
	}
}

func againstFiles(t *testing.T, isNative bool, args ...string) {
	var later atomic.Bool
	var scrapes atomic.Int64
	url := startPrometheus(t, []string{target(t, &later, &scrapes, false).URL}, args...)
	until(t, "scrapes of the first page", func() bool { return scrapes.Load() >= 3 })
	later.Store(true)
	seen := scrapes.Load()
	until(t, "scrapes of the second page", func() bool { return scrapes.Load() >= seen+5 })
	for _, metric := range []string{"lock_hold_seconds", "lock_wait_seconds"} {
		for _, service := range []string{"stock", "order", "migration"} {
			q := Query{Metric: metric, Match: must(ParseMatch(`service="` + service + `"`))}
			o, err := Server{URL: url, Window: time.Minute}.Read(t.Context(), q)
			if err != nil {
				t.Fatalf("%s of %s: %v", metric, service, err)
			}
			form := ".prom"
			if isNative && metric == "lock_hold_seconds" {
				form = ".pb"
			}
			before, err := os.Open("../../testdata/source/locks-before" + form)
			if err != nil {
				t.Fatal(err)
			}
			q.Earlier, q.EarlierName = before, "locks-before"
			files := mustFile(t, "locks"+form, q)
			before.Close()
			for _, p := range []float64{0.5, 0.9, 0.99, 0.999} {
				// increase() stretches the counts to the window, which may move a
				// quantile by a few ranks, and computes bounds in floats.
				got, want := o.Dist.Quantile(p).Upper, files.Dist.Quantile(p)
				least := files.Dist.AtRank(max(want.Rank-3, 1)).Upper
				most := files.Dist.AtRank(min(want.Rank+3, files.Dist.Count())).Upper
				if got < least-least/1e9 || got > most+most/1e9 {
					t.Errorf("%s of %s: P%v %v, by files %v", metric, service, p*100, got, want)
				}
			}
		}
	}
}

// Two instances of one fleet, of which one exports native histograms and the
// other does not yet: the whole is what each has, and the slow one is not lost.
func TestRealPrometheusOfAFleet(t *testing.T) {
	t.Parallel()
	var later atomic.Bool
	var upgraded, old atomic.Int64
	targets := []string{target(t, &later, &upgraded, false).URL, target(t, &later, &old, true).URL}
	url := startPrometheus(t, targets, "--enable-feature=native-histograms")
	both := func(least int64) func() bool {
		return func() bool { return upgraded.Load() >= least && old.Load() >= least }
	}
	until(t, "scrapes of the first page", both(3))
	later.Store(true)
	seen := max(upgraded.Load(), old.Load())
	until(t, "scrapes of the second page", both(seen+5))
	read := func(service, instance string) *Observation {
		match := `service="` + service + `"`
		if instance != "" {
			match += `,instance="` + strings.TrimPrefix(instance, "http://") + `"`
		}
		o, err := Server{URL: url, Window: time.Minute}.Read(t.Context(), Query{Metric: "lock_hold_seconds", Match: must(ParseMatch(match))})
		if err != nil {
			t.Fatalf("%s: %v", match, err)
		}
		return o
	}
	for _, service := range []string{"stock", "order", "migration"} {
		parts := []*Observation{read(service, targets[0]), read(service, targets[1])}
		whole := read(service, "")
		if _, ok := has(whole, "LP209"); !ok {
			t.Errorf("%s: %v", service, whole.Findings)
		}
		// increase() stretches the counts to the window, which goes on between
		// the questions; a part that is missing would leave half.
		n := float64(parts[0].Dist.Count() + parts[1].Dist.Count())
		if got := float64(whole.Dist.Count()); got < 0.75*n || got > 1.33*n {
			t.Errorf("%s: %v samples of %v", service, got, n)
		}
		for _, o := range parts {
			if _, ok := has(o, "LP209"); ok {
				t.Errorf("%s: one form is told as two", service)
			}
			if whole.Dist.Max().Upper < o.Dist.Max().Upper {
				t.Errorf("%s: the longest is %v, of one part %v", service, whole.Dist.Max(), o.Dist.Max())
			}
		}
	}
}

// Two pods with as many samples, of which one exports no buckets: half of the
// samples have no bound.
func TestRealPrometheusOfSeriesWithoutBuckets(t *testing.T) {
	t.Parallel()
	var scrapes atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := 100 * scrapes.Add(1)
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		fmt.Fprintf(w, "h_seconds_bucket{pod=\"a\",le=\"0.1\"} %d\nh_seconds_bucket{pod=\"a\",le=\"+Inf\"} %d\nh_seconds_count{pod=\"a\"} %d\nh_seconds_count{pod=\"b\"} %d\n", n, n, n, n)
	}))
	t.Cleanup(server.Close)
	url := startPrometheus(t, []string{server.URL})
	began := time.Now()
	until(t, "scrapes", func() bool { return scrapes.Load() >= 40 })
	o, err := Server{URL: url, Window: 7 * 24 * time.Hour}.Read(t.Context(), Query{Metric: "h_seconds"})
	if err != nil {
		t.Fatal(err)
	}
	// Two pods that count 100 a scrape. Over the week that was asked for it
	// would be 0.01 a second.
	rate := 200 * float64(scrapes.Load()) / time.Since(began).Seconds()
	if o.Window == nil {
		t.Fatalf("no window: %v", o.Findings)
	}
	if got := float64(o.Dist.Count()) / o.Window.Seconds(); got < 0.8*rate || got > 3*rate {
		t.Errorf("%v/s over %v, want %v/s", got, o.Window, rate)
	}
	unbounded := 0.0
	for b := range o.Dist.All() {
		if b.Hi == dist.Inf {
			unbounded += float64(b.Count)
		}
	}
	if share := unbounded / float64(o.Dist.Count()); share < 0.4 || share > 0.6 {
		t.Errorf("%v of %d samples have no bound", unbounded, o.Dist.Count())
	}
	if _, told := has(o, "LP206"); !told {
		t.Errorf("findings %v", o.Findings)
	}
}
