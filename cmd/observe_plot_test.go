package cmd

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	if code, _, stderr := run("", "observe", hold, "--since-start", "--plot", filepath.Join(dir, "a.gif")); code != exitUsage {
		t.Errorf("a.gif: exit %d: %s", code, stderr)
	}
}
