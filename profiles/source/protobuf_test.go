package source

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
)

// The page holds the metric's classic buckets and its native ones: they are
// the same 10 000 samples, not 20 000.
func TestNativeProtobufOfRealClient(t *testing.T) {
	o := mustFile(t, "gen-lock-hold-native-delimited.pb", Query{Metric: "lock_hold_native_seconds", SinceStart: true})
	if o.Dist.Count() != 10_000 || len(o.Findings) != 0 {
		t.Errorf("%d samples, %v", o.Dist.Count(), o.Findings)
	}
	for q, want := range map[float64]float64{0.5: 0.037163, 0.99: 0.25, 0.999: 0.385553, 0.9999: 16, 1: 16} {
		if got := o.Dist.Quantile(q).Upper.Seconds(); math.Abs(got-want) > 5e-7 {
			t.Errorf("P%v = %v, want %v", q*100, got, want)
		}
	}
	o = mustFile(t, "gen-lock-hold-native-delimited.pb", Query{Metric: "lock_hold_seconds"})
	upper(t, o, lockHold)
	o = mustFile(t, "gen-lock-hold-native-delimited.pb", Query{Metric: "lock_wait_seconds"})
	if len(o.Claims) != 4 {
		t.Errorf("claims %v", o.Claims)
	}
	_, err := file(t, "gen-lock-hold-native-delimited.pb", Query{Metric: "nope"})
	refused(t, err, fault.Usage, "lock_hold_native_seconds")
}

// Text, OpenMetrics and protobuf of one scrape agree, and the native form is
// never wider than the classic one.
func TestFormsOfOneScrapeAgree(t *testing.T) {
	for _, service := range []string{"stock", "order", "migration"} {
		q := Query{Metric: "lock_hold_seconds", SinceStart: true, Match: must(ParseMatch(`service="` + service + `"`))}
		text, om, pb := mustFile(t, "locks.prom", q), mustFile(t, "locks.om", q), mustFile(t, "locks.pb", q)
		for _, p := range []float64{0.5, 0.99, 0.999, 1} {
			a, b, c := text.Dist.Quantile(p), om.Dist.Quantile(p), pb.Dist.Quantile(p)
			if a.Upper != b.Upper || c.Upper < a.Lower || c.Lower > a.Upper {
				t.Errorf("%s P%v: %v, %v, %v", service, p*100, a, b, c)
			}
		}
		if text.Dist.Count() != pb.Dist.Count() {
			t.Errorf("%s: %d and %d samples", service, text.Dist.Count(), pb.Dist.Count())
		}
	}
}

func TestProtobufCutOff(t *testing.T) {
	whole, err := os.ReadFile("../../testdata/source/locks.pb")
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < len(whole); n += 7 {
		o, err := Read("x", bytes.NewReader(whole[:n]), Query{Format: "prometheus-protobuf", Metric: "lock_hold_seconds"})
		consistent(t, o, err)
	}
	_, err = Read("x", bytes.NewReader(whole[:len(whole)-3]), Query{Metric: "lock_hold_seconds"})
	refused(t, err, fault.Usage, "cut off")
}

func FuzzProtobuf(f *testing.F) {
	fuzz(f, "prometheus-protobuf", Query{Metric: "lock_hold_seconds"}, "locks.pb", "gen-lock-hold-native-delimited.pb")
}
