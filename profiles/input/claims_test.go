package input

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/finding"
)

// recorded opens a file of testdata/source.
func recorded(path string) (io.ReadCloser, error) {
	return os.Open(filepath.Join("..", "..", "testdata", "source", path))
}

// B3 holds for a tool's summary that says of how many requests it is, as it
// does for the same requests one by one: 300 of hey's say nothing of P99.9,
// which takes 2 995, and neither do its summary's 300, vegeta's 300, or wrk's
// 167.
func TestSummariesOfFewRequests(t *testing.T) {
	for file, missing := range map[string]string{
		"hey.csv": "2 695", "hey.txt": "2 695", "vegeta.json": "2 695", "vegeta-report.json": "2 695", "vegeta-hdrplot.txt": "2 695", "wrk.txt": "2 828",
	} {
		got, err := Resolve(said("hold", file, "pause", "1s", "rtt", "5ms"), Outside{Open: recorded})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		told := false
		for _, f := range got.Findings {
			told = told || f.ID == "LP202" && f.Severity == finding.Error && strings.Contains(f.Message, missing+" of them are missing")
		}
		if !told || got.Inputs.Hold.Finite() || !got.Inputs.ThinHold {
			t.Errorf("%s: hold %+v, findings %v", file, got.Inputs.Hold, got.Findings)
		}
		// Accepted, the longest counts, and the finding stays.
		got, err = Resolve(said("hold", file, "pause", "1s", "rtt", "5ms", "allow-thin-data", "true"), Outside{Open: recorded})
		if err != nil || !got.Inputs.Hold.Finite() || severities(got.Findings)["LP202"] != finding.Warning {
			t.Errorf("%s accepted: %v, hold %+v, findings %v", file, err, got.Inputs.Hold, got.Findings)
		}
	}
}

// wrkOf is wrk's summary of n requests.
func wrkOf(n int) string {
	return fmt.Sprintf("Running 2s test @ http://x/\n  1 threads and 4 connections\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency    47.83ms    8.31ms  76.05ms   60.48%%\n    Req/Sec    83.80     13.91   121.00     71.43%%\n  Latency Distribution\n     50%%   48.31ms\n     75%%   54.63ms\n     90%%   58.96ms\n     99%%   66.31ms\n  %d requests in 2.03s, 13.05KB read\nRequests/sec:     82.24\n", n)
}

// The longest of 2 994 requests bounds P99.9 at 94.99 %, that of 2 995 at
// 95 %: 0.999^2995 is 0.0499626. P99 takes 299. What the longest bounds of the
// law is 0.05^(1/n), not everything.
func TestSummaryBoundsAsItsSamplesDo(t *testing.T) {
	for n, enough := range map[int]bool{20: false, 298: false, 299: false, 2994: false, 2995: true, 100_000: true} {
		f := files{"wrk": wrkOf(n)}
		got, err := Resolve(said("hold", "wrk", "pause", "1s", "rtt", "5ms"), Outside{Open: f.open})
		if err != nil {
			t.Fatal(err)
		}
		in := got.Inputs
		if in.Hold.Finite() != enough || enough && in.Hold.Value < 76_050_000 {
			t.Errorf("%d requests: hold %+v", n, in.Hold)
		}
		if in.HoldP99.Finite() != (n >= 299) {
			t.Errorf("%d requests: P99 %+v", n, in.HoldP99)
		}
		last := got.Claims[len(got.Claims)-1]
		if want := math.Pow(0.05, 1/float64(n)); math.Abs(last.Sure-want) > 1e-9 {
			t.Errorf("%d requests: the longest bounds %v of the law, want %v", n, last.Sure, want)
		}
	}
}

// An input that says nothing is one of those asked for: the others alone are
// no plan, in whatever order, and none of them is where the answer is from.
func TestOneOfSeveralInputsSaysNothing(t *testing.T) {
	f := files{"full": strings.Repeat("0.25s\n0.5s\n", 5000), "empty": "", "broken": "h_seconds_bucket{le=\"1\"} 9\nh_seconds_bucket{le=\"2\"} 8\nh_seconds_bucket{le=\"+Inf\"} 9\n"}
	for _, other := range []string{"empty", "broken"} {
		for _, order := range [][]string{{"full", other}, {other, "full"}} {
			set := said("pause", "0s", "rtt", "5ms")
			set["hold"] = Value{Texts: order, Source: "--hold"}
			got, err := Resolve(set, Outside{Open: f.open})
			if err != nil {
				t.Errorf("%v: %v", order, err)
				continue
			}
			if h := got.Inputs.Hold; h.Finite() || got.Hold != nil || h.Source != other {
				t.Errorf("%v: hold %+v", order, h)
			}
		}
	}
}
