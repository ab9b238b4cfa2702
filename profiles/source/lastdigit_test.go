package source

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
)

// A stopwatch that cuts 2.999 s to 2 s, and one that rounds 2.4 s to it: what is
// printed leaves open up to one of its last digit. Digits of a microsecond and
// finer are those of a clock, and 16 beside 0.034677 is 16.000000. Go prints
// durations, and Java ISO 8601, with all digits.
func TestLastDigitLeavesMoreOpen(t *testing.T) {
	for page, want := range map[string]string{
		"id,hold_s\n1,1\n2,2\n":                      "3s",
		"id,hold_ms\n1,1\n2,250\n":                   "251ms",
		"id,hold_us\n1,1\n2,250\n":                   "251us",
		"id,hold_ns\n1,1\n2,250\n":                   "250ns",
		"id,hold_s\n1,0.25\n2,1.5\n":                 "1510ms",
		"id,hold_s\n1,0.034677\n2,16\n":              "16s",
		"id,hold_ms\n1,0.035\n2,16\n":                "16ms",
		"id,hold_s\n1,1e-05\n2,16\n":                 "16s",
		"1.5s\n250ms\n":                              "1500ms",
		"1.500000001s\n2s\n":                         "2s",
		"1m2s\n":                                     "62s",
		"2h\n":                                       "7200s",
		"00:00:01.5\n":                               "1600ms",
		"PT1.5S\n":                                   "1500ms",
		"{\"hold_ms\":12}\n{\"hold_ms\":900}\n":      "901ms",
		"{\"hold_ms\":12}\n{\"hold_ms\":900.1234}\n": "900123400ns",
		"id;hold_ms\n1;12,25\n2;900\n":               "900010us",
		"response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset\n0.2500,0,0,0,0,0,200,0\n": "250100us",
	} {
		q := Query{}
		if page[0] == '{' {
			q.Field = "hold_ms"
		}
		o := mustText(t, page, q)
		upper(t, o, map[float64]string{1: want})
		_, told := has(o, "LP208")
		if widened := o.digit > 0; told != widened {
			t.Errorf("%q: %v", page, o.Findings)
		}
	}
}

// The shared list has six digits, and its known answers stay what they are.
func TestLastDigitOfMicrosecondsStands(t *testing.T) {
	o := mustFile(t, "gen-lock-hold-raw-seconds.txt", Query{Unit: "s"})
	upper(t, o, map[float64]string{0.5: "34677us", 0.9999: "15s", 1: "16s"})
	if o.Mean == nil || (*o.Mean*10_000).Round(100*time.Microsecond) != 569_732_700*time.Microsecond { // the sum, with four digits
		t.Errorf("mean %v", o.Mean)
	}
}

// A timeout is told by what was printed, before it is widened.
func TestTimeoutInWholeSeconds(t *testing.T) {
	var page strings.Builder
	page.WriteString("id,hold_s\n")
	for i := range 5000 {
		fmt.Fprintf(&page, "%d,%d\n", i, 1+i%9)
	}
	for i := range 100 {
		fmt.Fprintf(&page, "x%d,30\n", i)
	}
	o := mustText(t, page.String(), Query{})
	if top := o.Dist.Max(); top.Upper != dist.Inf || top.Lower < 29*time.Second {
		t.Errorf("%v, %v", top, o.Findings)
	}
}

// Whichever block the finest value lies in, and on however many cores.
func TestLastDigitOfAllBlocks(t *testing.T) {
	for at := range 40 {
		var list, table, records strings.Builder
		table.WriteString("id,hold_s\n")
		for i := range 40 {
			value := "1.25"
			if i == at {
				value = "1.125000"
			}
			fmt.Fprintf(&list, "%ss\n", value)
			fmt.Fprintf(&table, "1,%s\n", value)
			fmt.Fprintf(&records, "{\"hold_s\":%s}\n", value)
		}
		for _, workers := range []int{1, 4} {
			processors, size := runtime.GOMAXPROCS(workers), blockSize
			blockSize = 64
			for _, page := range []string{list.String(), table.String(), records.String()} {
				q := Query{}
				if page[0] == '{' {
					q.Field = "hold_s"
				}
				if o := mustText(t, page, q); o.Dist.Max().Upper != 1250*time.Millisecond {
					t.Errorf("value %d, %d workers: %v", at, workers, o.Dist.Max())
				}
			}
			runtime.GOMAXPROCS(processors)
			blockSize = size
		}
	}
}
