package source

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
)

// fortio's P99 is interpolated inside the bucket; its upper end is End.
func TestFortio(t *testing.T) {
	o := mustText(t, `{"RunType":"HTTP","DurationHistogram":{"Count":100,"Min":0.0005,"Max":0.35,"Data":[{"Start":0.0005,"End":0.001,"Percent":90,"Count":90},{"Start":0.2,"End":0.35,"Percent":100,"Count":10}],"Percentiles":[{"Percentile":99,"Value":0.335}]}}`, Query{})
	upper(t, o, map[float64]string{0.9: "1ms", 0.99: "350ms"})
	if o.Dist.Count() != 100 || o.Dist.Max().Upper == dist.Inf {
		t.Errorf("%d samples", o.Dist.Count())
	}
}

// 7 of the 400 calls never got their answer within the timeout of 2 s. fortio's
// own client sends such a call once more and prints it as "Code 200" with P99.9
// 2.01298 s; its other client prints "Code -1 : 7". The counts are those of its
// summary, the bound of P98.25 its row "> 1 <= 2 , 1.5 , 98.25, 8".
func TestFortioTimeouts(t *testing.T) {
	for name, failed := range map[string]string{"fortio.json": "11 calls failed", "fortio-stdclient.json": "17 calls failed"} {
		o := mustFile(t, name, Query{})
		upper(t, o, map[float64]string{0.5: "6ms", 0.9825: "2s", 0.99: "inf", 0.999: "inf"})
		if o.Dist.Count() != 400 || o.Dist.Max().Lower != 2*time.Second {
			t.Errorf("%s: %d samples, longest %v", name, o.Dist.Count(), o.Dist.Max())
		}
		if !told(o, failed) || !told(o, "7 calls were given up") {
			t.Errorf("%s: findings %v", name, o.Findings)
		}
	}
}

// Fast failures must not pass for fast work without a word, whichever part of
// the file tells of them.
func TestFortioFailures(t *testing.T) {
	const page = `{"RunType":"HTTP","DurationHistogram":{"Count":100,"Data":[{"Start":0.001,"End":0.002,"Count":100}]},ERRORS}`
	for errors, want := range map[string]string{
		`"ErrorsDurationHistogram":{"Count":500,"Data":[{"Start":9,"End":10,"Count":500}]},"RetCodes":{"200":100}`: "500 calls failed",
		`"RetCodes":{"200":60,"503":38,"-1":2}`:                "40 calls failed",
		`"RunType":"gRPC","RetCodes":{"SERVING":99,"ERROR":1}`: "1 call failed",
		`"RetCodes":{"200":60,"418":40}`:                       "",
		`"RetCodes":{"OK":100}`:                                "",
	} {
		o := mustText(t, strings.Replace(page, "ERRORS", errors, 1), Query{})
		longest := "2ms"
		if strings.Contains(errors, "ErrorsDuration") { // up to 10 s, which the others do not hold
			longest = "10s"
		}
		upper(t, o, map[float64]string{1: longest})
		if want == "" && told(o, "failed") || want != "" && !told(o, want) {
			t.Errorf("%s: findings %v", errors, o.Findings)
		}
	}
	_, err := text("x", strings.Replace(page, "ERRORS", `"RetCodes":{"200":-5}`, 1), Query{})
	refused(t, err, fault.Usage, "x:1", "whole count")
}

// Failures that a program keeps apart: 1 000 of 101 000 calls took 3 s, so that
// P99 of them all is 50 ms and P99.9 is theirs. Fortio's own are among the
// calls already and do not count twice.
func TestFortioFailuresKeptApart(t *testing.T) {
	const apart = `{"RunType":"HTTP","DurationHistogram":{"Count":100000,"Data":[{"Start":0.001,"End":0.05,"Count":LONG}SLOW]},"RetCodes":{"200":99000,"-1":1000},"ErrorsDurationHistogram":{"Count":1000,"Data":[{"Start":3,"End":3.01,"Count":1000}]}}`
	for page, n := range map[string]uint64{
		strings.NewReplacer("LONG", "100000", "SLOW", "").Replace(apart):                                    101_000,
		strings.NewReplacer("LONG", "99000", "SLOW", `,{"Start":3,"End":3.01,"Count":1000}`).Replace(apart): 100_000,
	} {
		o := mustText(t, page, Query{})
		upper(t, o, map[float64]string{0.99: "50ms", 0.999: "3010ms"})
		if o.Dist.Count() != n || !told(o, "1000 calls failed") && !told(o, "1 000 calls failed") {
			t.Errorf("%d calls, %v", o.Dist.Count(), o.Findings)
		}
	}
}

func FuzzFortio(f *testing.F) {
	fuzz(f, "fortio", Query{}, "fortio.json", "fortio-stdclient.json", `{"DurationHistogram":{"Count":2,"Data":[{"Start":1,"End":1,"Count":2}]},"RetCodes":{"200":1},"HTTPReqTimeOut":5}`)
}
