package chart

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"strings"
	"testing"
)

func sample() Chart {
	var x, y, low, high, take []float64
	for v := 0.5; v < 60; v *= 1.1 {
		x = append(x, v)
		p := math.Exp(-v)
		y, low, high = append(y, p), append(low, p/3), append(high, p*5)
		take = append(take, v+0.7)
	}
	return Chart{
		Title:  `What a TTL costs: service <"checkout">`,
		X:      Axis{Label: "lease TTL in seconds", Log: true},
		Region: Region{From: 3, To: 9, Name: "feasible"},
		Marks:  []Mark{{3, "T_min 3s", true}, {9, "T_max 9s", true}, {3.1, "2 x P99", false}, {30, "30s rule", false}},
		Panels: []Panel{
			{Share: 2, Y: Axis{Label: "false expiry per acquisition", Log: true, Least: 1e-12}, Series: []Series{{Name: "estimate and bounds", X: x, Y: y, Low: low, High: high}}},
			{Share: 1, Y: Axis{Label: "worst takeover in seconds"}, Series: []Series{{Name: "takeover", X: x, Y: take, Color: Orange, Dashed: true}}, Levels: []Mark{{At: 10, Name: "RTO 10s"}}},
		},
	}
}

func TestSVGIsXMLWithTheText(t *testing.T) {
	var out bytes.Buffer
	if err := sample().Write(&out, "x.svg"); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	decoder := xml.NewDecoder(&out)
	for {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"T_min 3s", "T_max 9s", "30s rule", "RTO 10s", "lease TTL in seconds", "false expiry per acquisition", "&lt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("the SVG does not say %q", want)
		}
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Error("the SVG has a place that is no number")
	}
}

func TestPNG(t *testing.T) {
	var out bytes.Buffer
	if err := sample().Write(&out, "x.png"); err != nil {
		t.Fatal(err)
	}
	if path := os.Getenv("CHART_OUT"); path != "" {
		os.WriteFile(path, out.Bytes(), 0o644)
	}
	img, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != Width*density || b.Dy() != Height*density {
		t.Errorf("size %v", b)
	}
}

// Names of marks never cover each other.
func TestMarksKeepApart(t *testing.T) {
	c := sample()
	for i := range 12 {
		c.Marks = append(c.Marks, Mark{At: 3 + 0.05*float64(i), Name: "another folk rule"})
	}
	x := newScale(c.X, left, Width-right, []float64{0.5, 60})
	for _, row := range c.markRows(x) {
		for i := 1; i < len(row); i++ {
			if row[i].from < row[i-1].from+textWidth(row[i-1].Name, small) {
				t.Errorf("%q covers %q", row[i].Name, row[i-1].Name)
			}
		}
		for _, m := range row {
			if m.from < left || m.from+textWidth(m.Name, small) > Width-right+1e-9 {
				t.Errorf("%q leaves the chart", m.Name)
			}
		}
	}
}

func TestTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		log      bool
		min, max float64
		want     string
	}{
		{false, 0, 10, "0 5 10"},
		{true, 1, 1e6, "1 10 100 1000 1e+04 1e+05 1e+06"},
		{true, 0.5, 60, "0.5 1 2 5 10 20 50"},
	} {
		var got []string
		for _, tick := range ticks(scale{axis: Axis{Log: c.log}, min: c.min, max: c.max}, 4) {
			got = append(got, tick.text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%g to %g: %v, want %s", c.min, c.max, got, c.want)
		}
	}
}

// A chart without a single value is still a chart.
func TestNothingToDraw(t *testing.T) {
	c := Chart{Title: "empty", X: Axis{Log: true}, Panels: []Panel{{Share: 1, Y: Axis{Log: true}, Series: []Series{{X: []float64{1}, Y: []float64{math.NaN()}}}}}}
	for _, name := range []string{"a.svg", "a.png"} {
		if err := c.Write(io.Discard, name); err != nil {
			t.Error(err)
		}
	}
	if err := c.Write(io.Discard, "a.gif"); err == nil {
		t.Error("a GIF was written")
	}
}

// recorder keeps what is written and drawn.
type recorder struct {
	texts []written
	lines [][]point
}

type written struct {
	x1, y1, x2, y2 float64
	text           string
}

func (r *recorder) fill([]point, color.NRGBA) {}
func (r *recorder) line(p []point, _ color.NRGBA, _ float64, dashed bool) {
	if dashed {
		r.lines = append(r.lines, p)
	}
}
func (r *recorder) text(x, y float64, text string, size float64, align int, _ color.NRGBA) {
	wide := textWidth(text, size)
	x -= wide * float64(align+1) / 2
	if text != "" {
		r.texts = append(r.texts, written{x, y - 0.72*size, x + wide, y + 2, text})
	}
}
func (r *recorder) finish(io.Writer) error { return nil }

// No text leaves the chart or covers another one, from microseconds to years
// and with a level at either end.
func TestTextsKeepApart(t *testing.T) {
	for _, from := range []float64{2e-6, 1e-3, 0.5, 30, 7000, 1e5} {
		for _, factor := range []float64{1.01, 1.3, 3, 40, 3e4, 1e8} {
			for _, level := range []float64{1, 0.5, 0} {
				c := sample()
				c.X.Time, c.Note = true, "a note"
				c.Marks = []Mark{{from * math.Sqrt(factor), "T_min", true}}
				c.Region = Region{From: from, To: from * factor, Name: "feasible"}
				var x, y []float64
				for i := range 50 {
					v := from * math.Pow(factor, float64(i)/49)
					x, y = append(x, v), append(y, v+0.7)
				}
				c.Panels = []Panel{
					{Share: 2, Y: Axis{Label: "false expiry", Log: true, Least: 1e-12, Most: 1}, Series: []Series{{Name: "estimate", X: x, Y: y}}},
					{Share: 1, Y: Axis{Label: "worst takeover", Log: true, Time: true}, Series: []Series{{Name: "takeover", X: x, Y: y}},
						Levels: []Mark{{At: y[0] * math.Pow(y[49]/y[0], level), Name: "RTO"}}},
				}
				r := new(recorder)
				c.draw(r)
				for i, a := range r.texts {
					if a.x1 < 0 || a.x2 > Width || a.y2 > Height {
						t.Errorf("from %g, factor %g: %q leaves the chart", from, factor, a.text)
					}
					for _, b := range r.texts[:i] {
						if a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2 {
							t.Errorf("from %g, factor %g, level %g: %q covers %q", from, factor, level, a.text, b.text)
						}
					}
				}
			}
		}
	}
}

func TestTimeTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		min, max float64
		want     string
	}{
		{30, 1.5e6, "1m 10m 1h 6h 1d 10d"},
		{5, 120, "5s 7s 10s 15s 20s 30s 45s 1m 90s 2m"},
		{1e-6, 30, "1us 10us 100us 1ms 10ms 100ms 1s 10s"},
		{40, 100, "45s 1m 90s"},
	} {
		var got []string
		for _, tick := range ticks(scale{axis: Axis{Log: true, Time: true}, min: c.min, max: c.max, from: left, to: Width - right}, 6) {
			got = append(got, tick.text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%g to %g: %v, want %s", c.min, c.max, got, c.want)
		}
	}
}

// The name of the range is not struck through where the lines leave room.
func TestNameOfRangeIsNotStruckThrough(t *testing.T) {
	c := sample()
	c.Marks = append(c.Marks, Mark{5.2, "in the middle", false})
	r := new(recorder)
	c.draw(r)
	for _, w := range r.texts {
		for _, l := range r.lines {
			if w.text == "feasible" && l[0].x == l[1].x && l[0].x > w.x1 && l[0].x < w.x2 {
				t.Errorf("a line at %g through %g to %g", l[0].x, w.x1, w.x2)
			}
		}
	}
}
