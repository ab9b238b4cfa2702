package source

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// The figures are asserted by HdrHistogram's own tests of these files. For the
// first they added the lower ends of each interval's buckets, which have two
// digits, into one of three: 1745879039 and 1796210687. The file itself knows
// the samples only to 2^23 ns, up to the upper ends below.
func TestHDRLogsOfTheOrigin(t *testing.T) {
	o := mustFile(t, "jHiccup-2.0.7S.logV2.hlog", Query{})
	if o.Dist.Count() != 48_761 || o.Measures != Pause || o.Unit != "ns" {
		t.Errorf("%d samples of %s in %s", o.Dist.Count(), o.Measures, o.Unit)
	}
	if got := o.Dist.Quantile(0.999); got.Lower>>20 != 1_745_879_039>>20 || got.Upper != 1672<<20-1 {
		t.Errorf("P99.9 %+v", got)
	}
	if got := o.Dist.Max(); got.Lower>>20 != 1_796_210_687>>20 || got.Upper != 1720<<20-1 {
		t.Errorf("longest %+v", got)
	}
	if o.Window == nil || *o.Window < 60*time.Second || *o.Window > 65*time.Second {
		t.Errorf("window %v, want 62 intervals of a second", o.Window)
	}
	o = mustFile(t, "ycsb.logV1.hlog", Query{Unit: "us"})
	if o.Dist.Count() != 300_056 {
		t.Errorf("%d samples, want 300056", o.Dist.Count())
	}
	if got := o.Dist.Quantile(0.999).Upper; got != 1_214_463*time.Microsecond {
		t.Errorf("P99.9 %v, want 1214463us", got)
	}
	if got := o.Dist.Max().Upper; got != 1_546_239*time.Microsecond {
		t.Errorf("longest %v, want 1546239us", got)
	}
	_, err := file(t, "ycsb.logV1.hlog", Query{})
	refused(t, err, fault.Usage, "--unit us")
}

// A log whose intervals come both tagged and untagged holds the samples twice.
func TestHDRTags(t *testing.T) {
	content, err := os.ReadFile("../../testdata/source/jHiccup-2.0.7S.logV2.hlog")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(content), "\n")
	twice := strings.Join(lines, "") + "Tag=a," + lines[4] + "Tag=a," + lines[5]
	_, err = text("x", twice, Query{})
	refused(t, err, fault.Usage, "several tags")
	one := mustText(t, strings.Join(lines[:6], ""), Query{})
	tagged := mustText(t, twice, Query{Metric: "a"})
	if one.Dist.Count() != tagged.Dist.Count() || one.Dist.Max() != tagged.Dist.Max() {
		t.Errorf("%d and %d samples", one.Dist.Count(), tagged.Dist.Count())
	}
	// A damaged line is an error, not 61 good intervals.
	_, err = text("x", strings.TrimSpace(string(content))[:len(strings.TrimSpace(string(content)))-9], Query{})
	refused(t, err, fault.Usage, "x:", "histogram")
}

// wrk2's own table: row 0.999023 is 12.311, the last row 12.503, although its
// footer says Max 12.496.
func TestHGRM(t *testing.T) {
	o := mustFile(t, "wrk2-readme-spectrum.txt", Query{})
	upper(t, o, map[float64]string{0.999: "12.312ms", 1: "12.504ms"})
	if o.Dist.Count() != 39_500 || o.Unit != "ms" {
		t.Errorf("%d samples in %s", o.Dist.Count(), o.Unit)
	}
	page := "       Value     Percentile TotalCount 1/(1-Percentile)\n\n 1.000 0.000000 1 1.00\n 2.000 0.5 5 2.0\n 9.000 1.000000 10 inf\n#[Mean = 1]\n"
	_, err := text("x", page, Query{})
	refused(t, err, fault.Usage, "--unit")
	// The uncorrected table that follows hides the time spent waiting.
	o = mustText(t, page+"  Uncorrected\n"+strings.ReplaceAll(page, "9.000", "3.000"), Query{Unit: "s"})
	upper(t, o, map[float64]string{0.5: "2.001s", 1: "9.001s"})
	_, err = text("x", strings.SplitAfter(page, "5 2.0\n")[0], Query{Unit: "s"})
	refused(t, err, fault.Usage, "cut off")
}

func FuzzHDRLog(f *testing.F) {
	fuzz(f, "hdr", Query{Unit: "us"}, "jHiccup-2.0.7S.logV2.hlog", "ycsb.logV1.hlog", "hdr-1.2.hlog", "hdr-2.0.hlog", "hdr-2.2.hlog")
}

func FuzzHGRM(f *testing.F) { fuzz(f, "hgrm", Query{Unit: "ms"}, "wrk2-readme-spectrum.txt") }

func BenchmarkHDRLog(b *testing.B) {
	content, err := os.ReadFile("../../testdata/source/jHiccup-2.0.7S.logV2.hlog")
	if err != nil {
		b.Fatal(err)
	}
	page := strings.Repeat(string(content), 200)
	cpu(b, len(page), func() {
		if _, err := Read("x", strings.NewReader(page), Query{}); err != nil {
			b.Fatal(err)
		}
	})
}
