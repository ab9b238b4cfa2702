package source

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// The longest delay is under the table: a file that ends early hides it.
func TestCyclictestCutOff(t *testing.T) {
	table := "# Histogram\n000001 000500\n000100 000500\n# Total: 000001000\n"
	most := "# Max Latencies: 09456\n"
	end := "# Histogram Overflows: 00003\n"
	for _, page := range []string{table, table + most, table + most + end + table, table + most + end + table + most} {
		_, err := text("x", page, Query{})
		refused(t, err, fault.Usage, "cut off")
	}
	_, err := text("x", table+end, Query{})
	refused(t, err, fault.Usage, "no maximum")
	for page, samples := range map[string]uint64{
		table + most + end: 1003,
		// Rows that were lost do not shorten the longest.
		table + most + strings.Replace(end, "3", "0", 1): 1001,
		// The second run is the better one.
		table + most + end + table + strings.Replace(most, "09456", "00100", 1) + strings.Replace(end, "3", "0", 1): 2003,
	} {
		o := mustText(t, page, Query{})
		if top := o.Dist.Max(); top.Upper != 9457*time.Microsecond || o.Dist.Count() != samples {
			t.Errorf("%d samples up to %v, want %d", o.Dist.Count(), top, samples)
		}
	}
}
