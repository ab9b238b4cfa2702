package bench

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/profiles/source"
)

// upperEdge is the bucket of the nearest rank, by another parser.
func upperEdge(h *dto.Histogram, q float64) time.Duration {
	rank := uint64(math.Ceil(q*float64(h.GetSampleCount()) - 1e-9))
	for _, b := range h.GetBucket() {
		if b.GetCumulativeCount() >= rank {
			if math.IsInf(b.GetUpperBound(), 1) {
				break
			}
			return time.Duration(math.Round(b.GetUpperBound() * 1e9))
		}
	}
	return dist.Inf
}

// Every histogram of the recorded pages and of a generated one is read as
// expfmt reads it.
func TestAgreesWithExpfmt(t *testing.T) {
	pages := map[string][]byte{"generated": text()[:2<<20]}
	pages["generated"] = pages["generated"][:bytes.LastIndexByte(pages["generated"], '#')]
	for _, name := range []string{"locks.prom", "gen-lock-hold.prom.txt"} {
		content, err := os.ReadFile("../source/" + name)
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = content
	}
	compared := 0
	for name, page := range pages {
		p := expfmt.NewTextParser(model.UTF8Validation)
		families, err := p.TextToMetricFamilies(bytes.NewReader(page))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range families {
			if f.GetType() != dto.MetricType_HISTOGRAM || !strings.HasSuffix(f.GetName(), "_seconds") {
				continue
			}
			for i, m := range f.GetMetric() {
				if m.GetHistogram().GetSampleCount() == 0 || i > 20 {
					continue
				}
				var conditions []string
				for _, l := range m.GetLabel() {
					conditions = append(conditions, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
				}
				q := source.Query{Metric: f.GetName(), SinceStart: true}
				if len(conditions) > 0 {
					if q.Match, err = source.ParseMatch(strings.Join(conditions, ",")); err != nil {
						t.Fatal(err)
					}
				}
				o, err := source.Read(name, bytes.NewReader(page), q)
				if err != nil {
					t.Fatalf("%s %s: %v", name, f.GetName(), err)
				}
				if o.Dist.Count() != m.GetHistogram().GetSampleCount() {
					t.Errorf("%s %v: %d samples, expfmt %d", f.GetName(), conditions, o.Dist.Count(), m.GetHistogram().GetSampleCount())
				}
				for _, p := range []float64{0.1, 0.5, 0.9, 0.99, 0.999, 1} {
					if got, want := o.Dist.Quantile(p).Upper, upperEdge(m.GetHistogram(), p); got != want {
						t.Errorf("%s %v: P%v %v, expfmt %v", f.GetName(), conditions, p*100, got, want)
					}
				}
				compared++
			}
		}
	}
	if compared < 30 {
		t.Errorf("only %d histograms were compared", compared)
	}
}

// The intervals of the log, each with its own precision, as the Go port of
// HdrHistogram reads them.
func TestAgreesWithHdrHistogram(t *testing.T) {
	content, err := os.ReadFile("../source/jHiccup-2.0.7S.logV2.hlog")
	if err != nil {
		t.Fatal(err)
	}
	o, err := source.Read("x", bytes.NewReader(content), source.Query{})
	if err != nil {
		t.Fatal(err)
	}
	r := hdrhistogram.NewHistogramLogReader(bytes.NewReader(content))
	var total, longest int64
	for {
		h, err := r.NextIntervalHistogram()
		if err != nil {
			t.Fatal(err)
		}
		if h == nil {
			break
		}
		total += h.TotalCount()
		longest = max(longest, h.Max())
	}
	if int64(o.Dist.Count()) != total || int64(o.Dist.Max().Upper) != longest {
		t.Errorf("%d samples up to %d, hdrhistogram-go %d up to %d", o.Dist.Count(), o.Dist.Max().Upper, total, longest)
	}
}
