package cmd

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/profiles/source"
)

// The worked histogram: P99.9 at most 800 ms, none in the open bucket.
func TestObservePlot(t *testing.T) {
	dir := t.TempDir()
	hold := filepath.Join(dir, "hold.prom")
	text := "# TYPE lock_hold_seconds histogram\n"
	for _, row := range [][2]string{{"0.05", "9000"}, {"0.1", "96000"}, {"0.2", "99000"}, {"0.4", "99850"}, {"0.8", "99950"}, {"1.6", "100000"}, {"+Inf", "100000"}} {
		text += `lock_hold_seconds_bucket{le="` + row[0] + `"} ` + row[1] + "\n"
	}
	if err := os.WriteFile(hold, []byte(text+"lock_hold_seconds_count 100000\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	draw := func(name string) []byte {
		path := filepath.Join(dir, name)
		if code, _, stderr := run("", "observe", hold, "--since-start", "--budget", "3s", "--plot", path); code != 0 {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		picture, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return picture
	}
	svg := draw("a.svg")
	if err := xml.Unmarshal(svg, new(struct{ XMLName xml.Name })); err != nil {
		t.Error(err)
	}
	for _, word := range []string{"P99.9 at most 800ms", "budget 3s", "100 000 samples", "time (logarithmic)"} {
		if !strings.Contains(string(svg), word) {
			t.Errorf("the picture lacks %q", word)
		}
	}
	if image, err := png.Decode(bytes.NewReader(draw("a.png"))); err != nil || image.Bounds().Dx() < 800 {
		t.Errorf("%v", err)
	}
	if code, _, stderr := run("", "observe", hold, "--since-start", "--budget", "3s"); code != exitUsage || !strings.Contains(stderr, "--plot") {
		t.Errorf("a budget without a picture: exit %d: %s", code, stderr)
	}
	if code, _, stderr := run("", "observe", hold, "--since-start", "--plot", filepath.Join(dir, "a.gif")); code != exitUsage {
		t.Errorf("a.gif: exit %d: %s", code, stderr)
	}
}

// Of 10 000 samples 100 lie between 0.5 and 2 s: up to 1 % are longer than any
// time there, and none than 2 s. Single samples have a last step too.
func TestSurvivalCurveEndsAtTheLongest(t *testing.T) {
	var buckets, single dist.Builder
	buckets.AddRange(0, 100*time.Millisecond, 9000)
	buckets.AddRange(100*time.Millisecond, 500*time.Millisecond, 900)
	buckets.AddRange(500*time.Millisecond, 2*time.Second, 100)
	for i := range 4 {
		single.AddRange(time.Duration(i+1)*time.Second, time.Duration(i+1)*time.Second, 1)
	}
	for _, c := range []struct {
		d              *dist.Dist
		from, to, high float64
		n              float64
	}{{buckets.Dist(), 0.5, 2, 0.01, 10_000}, {single.Dist(), 3, 4, 0.25, 4}} {
		line := survival(seen{Observation: &source.Observation{Dist: c.d}}, observeOptions{percentile: 0.999}).Panels[0].Series[0]
		n := len(line.X)
		if line.X[n-2] != c.from || line.X[n-1] != c.to || line.High[n-2] != c.high || line.Y[n-2] != c.high {
			t.Errorf("the last step is %v to %v at %v, want %v to %v at %v", line.X[n-2], line.X[n-1], line.High[n-2], c.from, c.to, c.high)
		}
		if low := line.Y[n-1]; math.Abs(low-0.5/c.n) > 1e-15 {
			t.Errorf("the curve ends at %v", low)
		}
	}
}
