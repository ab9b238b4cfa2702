package source

import (
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
)

const hgrmPage = `       Value     Percentile TotalCount 1/(1-Percentile)

       0.100 0.000000000000          1           1.00
       1.000 1.000000000000      10000
#[Mean    =        0.1, StdDeviation   =        0.1]
#[Max     =        1.0, Total count    =        10000]
#[Buckets =           20, SubBuckets     =         2048]
`

func TestHGRMTablesAddUp(t *testing.T) {
	slow := strings.Replace(strings.Replace(hgrmPage, "   1.000 ", "9000.000 ", 1), "  1.0,", "9000.0,", 1)
	for _, page := range []string{hgrmPage + slow, slow + hgrmPage} {
		o := mustText(t, page, Query{Unit: "ms"})
		if o.Dist.Count() != 20_000 {
			t.Errorf("%d samples", o.Dist.Count())
		}
		upper(t, o, map[float64]string{1: "9000.001ms"})
	}
	// Two runs of wrk2: each one's uncorrected table is left out.
	run := "Running 30s test @ http://a\n  Latency Distribution (HdrHistogram - Recorded Latency)\n" + hgrmPage +
		"----\n  Latency Distribution (HdrHistogram - Uncorrected Latency)\n" + hgrmPage
	if o := mustText(t, run+run, Query{}); o.Dist.Count() != 20_000 || o.Unit != "ms" {
		t.Errorf("%d samples in %s", o.Dist.Count(), o.Unit)
	}
}

// Rows that are missing show in the footer.
func TestHGRMFooter(t *testing.T) {
	_, err := text("x", strings.Replace(hgrmPage, "  10000\n", "    100\n", 1), Query{Unit: "ms"})
	refused(t, err, fault.Usage, "x:6", "100 of 10000")
	_, err = text("x", strings.Replace(hgrmPage, "  1.0,", "9000.0,", 1), Query{Unit: "ms"})
	refused(t, err, fault.Usage, "x:6", "9000.0")
	_, err = text("x", strings.Replace(hgrmPage, "1.000000000000", "0.900000000000", 1)+hgrmPage, Query{Unit: "ms"})
	refused(t, err, fault.Usage, "cut off")
}
