// Command recorder makes the Prometheus files of this directory: it takes
// in-process locks for three unlike services, records how long each was
// waited for and held in a client_golang registry, and scrapes itself over
// HTTP. Holds and waits are drawn from a seeded generator instead of being
// slept, so the files come out the same; everything after the draw is real.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// service is one user of locks: log-normal holds around a median.
type service struct {
	name         string
	median       time.Duration
	spread       float64 // of the logarithm
	waitMedian   time.Duration
	holds        int
	holdBuckets  []float64
	waitBuckets  []float64
	hold, waited prometheus.Histogram
	mu           sync.Mutex
}

const minute = 60

var services = []*service{
	{
		name: "stock", median: 6 * time.Millisecond, spread: 0.38, waitMedian: 2 * time.Millisecond, holds: 200_000,
		holdBuckets: []float64{0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.0125, 0.015, 0.0175, 0.02, 0.0225, 0.025, 0.03, 0.04, 0.05, 0.1},
		waitBuckets: []float64{0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25},
	},
	{
		name: "order", median: 10500 * time.Millisecond, spread: 0.2, waitMedian: 40 * time.Millisecond, holds: 40_000,
		holdBuckets: []float64{2.5, 5, 7.5, 10, 12.5, 15, 17.5, 20, 22.5, 25, 30, 40, 60},
		waitBuckets: []float64{0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10},
	},
	{
		name: "migration", median: 20*time.Minute + 30*time.Second, spread: 0.1, waitMedian: 3 * time.Second, holds: 3_600,
		holdBuckets: []float64{5 * minute, 10 * minute, 15 * minute, 17.5 * minute, 20 * minute, 22.5 * minute, 25 * minute, 27.5 * minute, 30 * minute, 33 * minute, 36 * minute, 40 * minute, 50 * minute, 60 * minute},
		waitBuckets: []float64{1, 2.5, 5, 10, 30, 60, 120, 300},
	},
}

func main() {
	dir := flag.String("dir", ".", "where the files go")
	flag.Parse()
	registry := prometheus.NewRegistry()
	for _, s := range services {
		labels := prometheus.Labels{"service": s.name}
		s.hold = prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "lock_hold_seconds", Help: "Time from acquiring a lock to releasing it.", ConstLabels: labels, Buckets: s.holdBuckets,
			NativeHistogramBucketFactor: 1.1,
		})
		s.waited = prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "lock_wait_seconds", Help: "Time from asking for a lock to acquiring it.", ConstLabels: labels, Buckets: s.waitBuckets,
		})
		registry.MustRegister(s.hold, s.waited)
	}
	server := httptest.NewServer(promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true}))
	defer server.Close()
	random := rand.New(rand.NewPCG(20261130, 1))
	// A quarter of the work, a scrape, the rest, a scrape: two snapshots.
	work(random, 0.25)
	const protobuf = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"
	save(server.URL, filepath.Join(*dir, "locks-before.prom"), "text/plain")
	save(server.URL, filepath.Join(*dir, "locks-before.pb"), protobuf)
	work(random, 0.75)
	save(server.URL, filepath.Join(*dir, "locks.prom"), "text/plain")
	save(server.URL, filepath.Join(*dir, "locks.om"), "application/openmetrics-text; version=1.0.0")
	save(server.URL, filepath.Join(*dir, "locks.pb"), protobuf)
}

// work takes each service's lock for its share of the holds.
func work(random *rand.Rand, share float64) {
	for _, s := range services {
		for range int(share * float64(s.holds)) {
			s.mu.Lock()
			s.waited.Observe(draw(random, s.waitMedian, 0.6))
			s.hold.Observe(draw(random, s.median, s.spread))
			s.mu.Unlock()
		}
	}
}

func draw(random *rand.Rand, median time.Duration, spread float64) float64 {
	return median.Seconds() * math.Exp(spread*random.NormFloat64())
}

func save(url, path, accept string) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	check(err)
	request.Header.Set("Accept", accept)
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	check(err)
	check(os.WriteFile(path, body, 0o644))
	fmt.Println(path, len(body), response.Header.Get("Content-Type"))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
