package source

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// vegeta's own attack of 300 requests, whose longest is 131 961 300 ns: the
// table is no histogram, though it looks like one.
func TestVegetaHDRPlotIsNoHistogram(t *testing.T) {
	o := mustFile(t, "vegeta-hdrplot.txt", Query{})
	if o.Dist != nil || o.Format != "vegeta-hdrplot" || o.Requests != 300 {
		t.Fatalf("%+v", o)
	}
	last := o.Claims[len(o.Claims)-1]
	if last.Q != 1 || last.Value < 131_961_300 || last.Value > 131_961_400 || len(o.Claims) != 5 {
		t.Errorf("claims %v", o.Claims)
	}
	if _, closed := has(o, "LP202"); closed {
		t.Errorf("vegeta does not wait for answers: %v", o.Findings)
	}
	raw := mustFile(t, "vegeta.json", Query{})
	if top := raw.Dist.Max().Upper; last.Value < top {
		t.Errorf("the longest is %v, by the table %v", top, last.Value)
	}
}

// 19 987 requests of 1 to 5 ms and 13 of 2.0 to 2.1 s: vegeta 12.13 printed
// 1.2 s at 0.9994, between the clusters, where there is no request at all. What
// bounds P99.9 is the longest.
func TestVegetaHDRPlotOfTwoClusters(t *testing.T) {
	var page strings.Builder
	page.WriteString("Value(ms)    Percentile  TotalCount  1/(1-Percentile)\n")
	for _, row := range []string{"2.987286 0.500000 10000 2.0", "4.593718 0.900000 18000 10.0", "4.967108 0.990000 19800 100.0",
		"4.998 0.999000 19980 1000.0", "1200.1 0.999400 19988 1666.7", "2098.547590 1.000000 20000 10000000.000000"} {
		fmt.Fprintln(&page, row)
	}
	o := mustText(t, page.String(), Query{})
	for _, c := range o.Claims {
		if c.Value > time.Second && c.Q < 1 {
			t.Errorf("P%v is claimed as %v", c.Q*100, c.Value)
		}
	}
	if o.Claims[len(o.Claims)-1].Value < 2_098_547_590 {
		t.Errorf("claims %v", o.Claims)
	}
	_, err := text("x", page.String()[:strings.Index(page.String(), "1200.1")], Query{})
	refused(t, err, fault.Usage, "cut off")
}

func FuzzVegetaHDRPlot(f *testing.F) {
	fuzz(f, "vegeta-hdrplot", Query{}, "vegeta-hdrplot.txt")
}
