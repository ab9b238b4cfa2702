package chart

import (
	"bytes"
	"encoding/xml"
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
