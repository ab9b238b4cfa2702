package source

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"pgregory.net/rapid"
)

// Prometheus sorts le as text: +Inf first, 10.0 before 2.5.
func TestVectorOfARealServer(t *testing.T) {
	o := mustFile(t, "gen-api-instant-classic.json", Query{})
	upper(t, o, lockHold)
	if o.Dist.Count() != 10_000 || o.Metric != "lock_hold_seconds" {
		t.Errorf("%d samples of %s", o.Dist.Count(), o.Metric)
	}
	if f, ok := has(o, "LP207"); !ok || f.Severity != finding.Warning {
		t.Errorf("raw counters without a window: %v", o.Findings)
	}
}

// Native buckets are per bucket, not cumulative: read as cumulative counts
// they would put P50 into the first bucket, and P99.99 as well.
func TestNativeVectorOfARealServer(t *testing.T) {
	o := mustFile(t, "gen-api-instant-native.json", Query{})
	for q, want := range map[float64]float64{0.5: 0.037163, 0.99: 0.25, 0.999: 0.385553, 0.9999: 16, 1: 16} {
		if got := o.Dist.Quantile(q).Upper.Seconds(); math.Abs(got-want) > 5e-7 {
			t.Errorf("P%v = %v, want %v", q*100, got, want)
		}
	}
	if top := o.Dist.Max(); o.Dist.Count() != 10_000 || math.Abs(top.Lower.Seconds()-14.67) > 0.01 {
		t.Errorf("%d samples, top %v", o.Dist.Count(), top)
	}
}

// The process restarts between samples 6 and 7 while le="0.005" goes from 951
// to 951. Reset by reset per bucket would count 683 samples there.
func TestMatrixWithARestart(t *testing.T) {
	o := mustFile(t, "gen-api-matrix-reset.json", Query{})
	upper(t, o, map[float64]string{0.5: "5ms", 0.99: "500ms", 1: "500ms"})
	if o.Dist.Count() != 1634 {
		t.Errorf("%d samples, want 1634", o.Dist.Count())
	}
	if iv := o.Dist.AtRank(951); iv.Upper != 5*time.Millisecond {
		t.Errorf("rank 951 is at %v", iv)
	}
	if iv := o.Dist.AtRank(952); iv.Upper != 10*time.Millisecond {
		t.Errorf("rank 952 is at %v", iv)
	}
	if iv := o.Dist.AtRank(1001); iv.Upper != 500*time.Millisecond {
		t.Errorf("rank 1001 is at %v", iv)
	}
	if o.Window == nil || *o.Window != 28*time.Second {
		t.Errorf("window %v, want 28s", o.Window)
	}
	if _, ok := has(o, "LP207"); ok {
		t.Error("a range has a window")
	}
}

// formats.md 6.1 row 14: per bucket the result is 900/500 and P99 0.99 s; in
// truth 900 of 1500 are up to 1 s.
func TestRestartHiddenInTheWhole(t *testing.T) {
	o := mustText(t, `{"status":"success","data":{"resultType":"matrix","result":[
{"metric":{"__name__":"h_seconds_bucket","le":"1"},"values":[[1,"1000"],[61,"900"]]},
{"metric":{"__name__":"h_seconds_bucket","le":"5"},"values":[[1,"1000"],[61,"1500"]]},
{"metric":{"__name__":"h_seconds_bucket","le":"+Inf"},"values":[[1,"1000"],[61,"1500"]]}]}}`, Query{})
	upper(t, o, map[float64]string{0.6: "1s", 0.61: "5s", 0.99: "5s"})
	if o.Dist.Count() != 1500 {
		t.Errorf("%d samples", o.Dist.Count())
	}
}

// A scrape that only some buckets have is no restart and no growth.
func TestMatrixWithGaps(t *testing.T) {
	o := mustText(t, `{"resultType":"matrix","result":[
{"metric":{"__name__":"h_seconds_bucket","le":"1"},"values":[[1,"10"],[2,"20"],[4,"40"]]},
{"metric":{"__name__":"h_seconds_bucket","le":"+Inf"},"values":[[1,"10"],[2,"20"],[3,"NaN"],[4,"50"]]}]}`, Query{})
	upper(t, o, map[float64]string{0.75: "1s", 0.76: "inf"})
	if o.Dist.Count() != 40 {
		t.Errorf("%d samples", o.Dist.Count())
	}
}

// A pod that was born inside the window: the slow hold that created its
// series is lost to increase(), which starts at the first sample.
func TestMatrixWithANewSeries(t *testing.T) {
	o := mustText(t, `{"resultType":"matrix","result":[
{"metric":{"__name__":"h_seconds_bucket","le":"1","pod":"a"},"values":[[10,"5"],[20,"6"],[30,"7"],[40,"8"],[50,"9"]]},
{"metric":{"__name__":"h_seconds_bucket","le":"+Inf","pod":"a"},"values":[[10,"5"],[20,"6"],[30,"7"],[40,"8"],[50,"9"]]},
{"metric":{"__name__":"h_seconds_bucket","le":"1","pod":"b"},"values":[[40,"0"],[50,"0"]]},
{"metric":{"__name__":"h_seconds_bucket","le":"+Inf","pod":"b"},"values":[[40,"1"],[50,"1"]]}]}`, Query{})
	if o.Dist.Count() != 5 || o.Dist.Max().Upper != 1<<63-1 {
		t.Errorf("%d samples up to %v: the hold of pod b is lost", o.Dist.Count(), o.Dist.Max())
	}
}

const twoBuckets = `{"count":"%d","sum":"9","buckets":[[0,"0.5","1","%d"],[0,"1","2","%d"]]}`

func TestNativeMatrix(t *testing.T) {
	step := func(ts, a, b int) string { return fmt.Sprintf(`[%d,`+twoBuckets+`]`, ts, a+b, a, b) }
	page := func(steps ...string) string {
		return `{"resultType":"matrix","result":[{"metric":{"__name__":"h_seconds"},"histograms":[` + strings.Join(steps, ",") + `]}]}`
	}
	o := mustText(t, page(step(10, 100, 5), step(70, 110, 5), step(130, 115, 10)), Query{})
	upper(t, o, map[float64]string{0.75: "1s", 0.76: "2s"})
	if o.Dist.Count() != 20 || *o.Window != 2*time.Minute {
		t.Errorf("%d samples in %v", o.Dist.Count(), o.Window)
	}
	// The first bucket fell, the whole grew: a restart.
	o = mustText(t, page(step(10, 100, 0), step(70, 90, 60)), Query{})
	upper(t, o, map[float64]string{0.6: "1s", 0.61: "2s"})
	if o.Dist.Count() != 150 {
		t.Errorf("%d samples", o.Dist.Count())
	}
	// The server halved the resolution: no restart, and coarser from there.
	o = mustText(t, page(step(10, 100, 5), `[70,{"count":"106","sum":"9","buckets":[[0,"0.5","2","106"]]}]`), Query{})
	upper(t, o, map[float64]string{1: "2s"})
	if o.Dist.Count() != 1 {
		t.Errorf("%d samples", o.Dist.Count())
	}
}

// NaN observations are in the count and in no bucket.
func TestNativeWithNaN(t *testing.T) {
	o := mustText(t, `[{"metric":{"__name__":"h_seconds"},"histogram":[1,{"count":"100","sum":"NaN","buckets":[[0,"0.5","1","90"]]}]}]`, Query{})
	upper(t, o, map[float64]string{0.9: "1s", 0.91: "inf"})
	o = mustText(t, `[{"metric":{"__name__":"h_seconds"},"histogram":[1,{"count":"3","sum":"0","buckets":[[3,"-0.001","0.001","2"],[0,"1","2","1"]]}]}]`, Query{})
	upper(t, o, map[float64]string{0.5: "1ms", 1: "2s"})
	o = mustText(t, `[{"metric":{"__name__":"h_seconds"},"histogram":[1,{"count":"3","sum":"0","buckets":[[1,"-2","-1","2"],[0,"1","2","1"]]}]}]`, Query{})
	if _, ok := has(o, "LP206"); !ok || o.Dist != nil {
		t.Errorf("negative durations pass: %+v", o)
	}
}

// increase() gives fractions. 99.4 below 1 s of 99.6: one sample may be above.
func TestFractionsAreRoundedOutward(t *testing.T) {
	o := mustText(t, `[{"metric":{"le":"1"},"value":[1,"99.4"]},{"metric":{"le":"2"},"value":[1,"99.6"]},{"metric":{"le":"+Inf"},"value":[1,"99.6"]}]`, Query{Metric: "h_seconds"})
	upper(t, o, map[float64]string{0.99: "1s", 0.991: "2s", 1: "2s"})
	if o.Dist.Count() != 100 {
		t.Errorf("%d samples", o.Dist.Count())
	}
	f, ok := has(o, "LP207")
	if !ok || f.Severity != finding.Info {
		t.Errorf("an aggregate's window is unknown: %v", o.Findings)
	}
}

// rate() itself can leave a bucket a hair below the one before it.
func TestTornRates(t *testing.T) {
	page := `[{"metric":{"le":"1"},"value":[1,"%v"]},{"metric":{"le":"2"},"value":[1,"1000.5"]},{"metric":{"le":"+Inf"},"value":[1,"1000.5"]}]`
	o := mustText(t, fmt.Sprintf(page, 1000.9), Query{})
	if f, ok := has(o, "LP206"); !ok || f.Severity != finding.Warning || o.Dist == nil {
		t.Errorf("%v", o.Findings)
	}
	upper(t, o, map[float64]string{0.99: "1s"})
	o = mustText(t, fmt.Sprintf(page, 1010.9), Query{})
	if f, ok := has(o, "LP206"); !ok || f.Severity != finding.Error || o.Dist != nil {
		t.Errorf("%v", o.Findings)
	}
}

func TestAnswersWithoutData(t *testing.T) {
	for page, c := range map[string]struct {
		class fault.Class
		says  string
	}{
		`{"status":"error","errorType":"bad_data","error":"parse \u001b[31merror"}`:                                                          {fault.Usage, `parse \x1b[31merror`},
		`{"status":"success","data":{"resultType":"vector","result":[]}}`:                                                                    {fault.NoData, "found nothing"},
		`{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}`:                                                               {fault.Usage, "scalar"},
		`{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"0.48"]}]}}`:                                    {fault.Usage, "sum by (le)"},
		`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"0.4"],[2,"0.5"]]}]}}`:                        {fault.Usage, "sum by (le)"},
		`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"h_seconds_bucket","le":"1"},"value":[1,"x"]}]}}`: {fault.Usage, "x:1"},
		`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"h_seconds_bucket","le":"1"},`:                    {fault.Usage, "cut off"},
		`[{"metric":{"__name__":"h_seconds_bucket","le":"1"},"value":[1,"3"]}] x`:                                                            {fault.Usage, "follows"},
	} {
		_, err := text("x", page, Query{})
		refused(t, err, c.class, c.says)
	}
	o := mustText(t, `{"status":"success","warnings":["partial response"],"data":{"resultType":"vector","result":[{"metric":{"le":"+Inf"},"value":[1,"3"]},{"metric":{"le":"1"},"value":[1,"3"]}]}}`, Query{})
	if f, ok := has(o, "LP206"); !ok || !strings.Contains(f.Message, "partial response") {
		t.Errorf("the server's warning is lost: %v", o.Findings)
	}
}

// The steps of a range of rates overlap, and a rate that falls is no restart:
// added up they would be samples that nobody took.
func TestRangeOfRatesIsRefused(t *testing.T) {
	for _, page := range []string{
		`[{"metric":{"le":"1"},"values":[[1,"5"],[2,"3"]]},{"metric":{"le":"+Inf"},"values":[[1,"5"],[2,"4"]]}]`,
		`[{"metric":{"le":"1"},"values":[[1,"0.5"],[2,"0.7"]]},{"metric":{"le":"+Inf"},"values":[[1,"0.5"],[2,"0.8"]]}]`,
		`[{"metric":{},"histograms":[[1,{"count":"9","sum":"1","buckets":[[0,"0.5","1","9"]]}],[2,{"count":"8","sum":"1","buckets":[[0,"0.5","1","8"]]}]]}]`,
	} {
		_, err := text("x", page, Query{Metric: "h_seconds"})
		refused(t, err, fault.Usage, "x:1", "computed values")
	}
	o := mustText(t, `[{"metric":{"le":"1"},"values":[[1,"5"],[2,"6"]]},{"metric":{"le":"+Inf"},"values":[[1,"5"],[2,"9"]]}]`, Query{Metric: "h_seconds"})
	if o.Dist.Count() != 4 {
		t.Errorf("%d samples of a sum of counters", o.Dist.Count())
	}
}

func TestNativeMatrixWithANewSeries(t *testing.T) {
	point := func(ts, n int) string { return fmt.Sprintf(`[%d,`+twoBuckets+`]`, ts, n, n, 0) }
	o := mustText(t, `[{"metric":{"__name__":"h_seconds","pod":"a"},"histograms":[`+point(10, 5)+","+point(20, 6)+","+point(30, 7)+","+point(40, 8)+","+point(50, 9)+
		`]},{"metric":{"__name__":"h_seconds","pod":"b"},"histograms":[`+point(40, 3)+","+point(50, 3)+`]}]`, Query{})
	if o.Dist.Count() != 7 || o.Series != 2 {
		t.Errorf("%d samples in %d series, want 4 and the 3 that pod b was born with", o.Dist.Count(), o.Series)
	}
}

// avg by (quantile) of summaries is no percentile of anything.
func TestAveragedQuantiles(t *testing.T) {
	o := mustText(t, `[{"metric":{"quantile":"0.99"},"value":[1,"0.1"]}]`, Query{Metric: "h_seconds"})
	if f, ok := has(o, "LP205"); !ok || f.Severity != finding.Error {
		t.Errorf("findings %v", o.Findings)
	}
	o = mustText(t, `[{"metric":{"__name__":"h_seconds","quantile":"0.99","pod":"a"},"value":[1,"0.1"]},{"metric":{"__name__":"h_seconds","quantile":"0.99","pod":"b"},"value":[1,"0.7"]}]`, Query{})
	if f, ok := has(o, "LP205"); !ok || f.Severity != finding.Warning || o.Claims[0].Value != 700*time.Millisecond {
		t.Errorf("claims %v, findings %v", o.Claims, o.Findings)
	}
}

// A quantile over time: only its largest value bounds the whole.
func TestQuantilesOverTime(t *testing.T) {
	o := mustText(t, `[{"metric":{"__name__":"h_seconds","quantile":"0.99"},"values":[[1,"0.1"],[2,"0.9"],[3,"0.2"]]}]`, Query{})
	if len(o.Claims) != 1 || o.Claims[0].Value != 900*time.Millisecond {
		t.Errorf("claims %v", o.Claims)
	}
}

// Restarts at random times, buckets that reach past their old counts or not:
// growth over the window is never less than what was really seen after each
// restart, and exact when every restart shows.
func TestRestartsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var low, all, seenLow, seenAll int
		var lows, alls []string
		shows := true
		n := rapid.IntRange(2, 30).Draw(t, "n")
		for i := range n {
			if i > 0 && rapid.IntRange(0, 5).Draw(t, "restart") == 0 {
				oldLow, oldAll := low, all
				low, all = 0, 0
				low = rapid.IntRange(0, 40).Draw(t, "low")
				all = low + rapid.IntRange(0, 40).Draw(t, "high")
				shows = shows && (low < oldLow || all < oldAll)
				seenLow, seenAll = seenLow+low, seenAll+all
			} else {
				addLow, addHigh := rapid.IntRange(0, 40).Draw(t, "low"), rapid.IntRange(0, 40).Draw(t, "high")
				low, all = low+addLow, all+addLow+addHigh
				if i > 0 {
					seenLow, seenAll = seenLow+addLow, seenAll+addLow+addHigh
				}
			}
			lows = append(lows, fmt.Sprintf(`[%d,"%d"]`, 10*i, low))
			alls = append(alls, fmt.Sprintf(`[%d.5e0,"%d"]`, 10*i, all))
		}
		if !shows || seenAll == 0 {
			return
		}
		page := `[{"metric":{"__name__":"h_seconds_bucket","le":"+Inf"},"values":[` + strings.ReplaceAll(strings.Join(alls, ","), ".5e0", "") +
			`]},{"metric":{"__name__":"h_seconds_bucket","le":"1"},"values":[` + strings.Join(lows, ",") + `]}]`
		o, err := text("x", page, Query{})
		if err != nil {
			t.Fatalf("%v\n%s", err, page)
		}
		if o.Dist.Count() != uint64(seenAll) {
			t.Fatalf("%d samples, want %d\n%s", o.Dist.Count(), seenAll, page)
		}
		within := uint64(0)
		for b := range o.Dist.All() {
			if b.Hi == time.Second {
				within += b.Count
			}
		}
		if within != uint64(seenLow) {
			t.Fatalf("%d up to 1s, want %d\n%s", within, seenLow, page)
		}
	})
}

// A fleet in the middle of an upgrade: pod a has the classic form only, pod b
// the native one only, pod c both, of the same samples.
func TestFormsAreChosenBySeries(t *testing.T) {
	const a = `{"metric":{"__name__":"h_seconds_bucket","pod":"a","le":"0.1"},"value":[1,"0"]},{"metric":{"__name__":"h_seconds_bucket","pod":"a","le":"10"},"value":[1,"10000"]},{"metric":{"__name__":"h_seconds_bucket","pod":"a","le":"+Inf"},"value":[1,"10000"]}`
	const b = `{"metric":{"__name__":"h_seconds","pod":"b"},"histogram":[1,{"count":"10000","sum":"100","buckets":[[0,"0.001","0.002","10000"]]}]}`
	const c = `{"metric":{"__name__":"h_seconds","pod":"c"},"histogram":[1,{"count":"%d","sum":"100","buckets":[[0,"0.001","0.002","%d"]]}]}`
	const classicC = `{"metric":{"__name__":"h_seconds_bucket","pod":"c","le":"1"},"value":[1,"10000"]},{"metric":{"__name__":"h_seconds_bucket","pod":"c","le":"+Inf"},"value":[1,"10000"]}`
	read := func(parts ...string) *Observation {
		return mustText(t, "["+strings.Join(parts, ",")+"]", Query{SinceStart: true})
	}
	for _, parts := range [][]string{{a, b}, {b, a}} {
		o := read(parts...)
		upper(t, o, map[float64]string{0.5: "2ms", 0.501: "10s"})
		if o.Dist.Count() != 20_000 || o.Series != 2 {
			t.Errorf("%d samples in %d series", o.Dist.Count(), o.Series)
		}
	}
	whole, part := fmt.Sprintf(c, 10_000, 10_000), fmt.Sprintf(c, 10, 10)
	for _, parts := range [][]string{{a, b, whole, classicC}, {classicC, whole, b, a}} {
		o := read(parts...)
		upper(t, o, map[float64]string{0.666: "2ms", 0.667: "10s"})
		if o.Dist.Count() != 30_000 || o.Series != 3 || len(o.Findings) != 0 {
			t.Errorf("%d samples in %d series, findings %v", o.Dist.Count(), o.Series, o.Findings)
		}
	}
	// The native form began late and lacks most of pod c.
	o := read(a, b, part, classicC)
	upper(t, o, map[float64]string{0.333: "2ms", 0.334: "1s", 0.667: "10s"})
	if o.Dist.Count() != 30_000 || o.Series != 3 {
		t.Errorf("%d samples in %d series", o.Dist.Count(), o.Series)
	}
}

func TestFormsOverTimeAreChosenBySeries(t *testing.T) {
	o := mustText(t, `[{"metric":{"__name__":"h_seconds","pod":"b"},"histograms":[[10,`+fmt.Sprintf(twoBuckets, 5, 5, 0)+`],[20,`+fmt.Sprintf(twoBuckets, 15, 15, 0)+`]]},
{"metric":{"__name__":"h_seconds_bucket","pod":"b","le":"+Inf"},"values":[[10,"5"],[20,"15"]]},
{"metric":{"__name__":"h_seconds_bucket","pod":"a","le":"8"},"values":[[10,"5"],[20,"10"]]},{"metric":{"__name__":"h_seconds_bucket","pod":"a","le":"+Inf"},"values":[[10,"5"],[20,"10"]]}]`, Query{})
	upper(t, o, map[float64]string{0.66: "1s", 0.67: "8s"})
	if o.Dist.Count() != 15 || o.Series != 2 {
		t.Errorf("%d samples in %d series", o.Dist.Count(), o.Series)
	}
}

// Ranges of one pod beside buckets of another.
func TestRangesBesideBuckets(t *testing.T) {
	const b = "h_seconds_bucket{pod=\"b\",le=\"1\"} 0\nh_seconds_bucket{pod=\"b\",le=\"10\"} 1000\nh_seconds_bucket{pod=\"b\",le=\"+Inf\"} 1000\n"
	o := mustText(t, "h_seconds_bucket{vmrange=\"8.799e-02...1.000e-01\"} 1000\n"+b, Query{SinceStart: true})
	if o.Dist.Count() != 2000 || o.Series != 2 || o.Dist.Max().Upper != 10*time.Second {
		t.Errorf("%d samples in %d series up to %v", o.Dist.Count(), o.Series, o.Dist.Max())
	}
	// Both forms of one pod, the ranges with more: what is beyond the
	// buckets is not known to be short.
	o = mustText(t, b+"h_seconds_bucket{pod=\"c\",le=\"+Inf\"} 0\nh_seconds_bucket{pod=\"b\",vmrange=\"8.799e-02...1.000e-01\"} 1500\n", Query{SinceStart: true})
	upper(t, o, map[float64]string{0.66: "10s", 0.67: "inf"})
	if o.Dist.Count() != 1500 {
		t.Errorf("%d samples", o.Dist.Count())
	}
}

// Protobuf and JSON alike: more natives than are held back are added at once.
func TestManyNativesBesideClassic(t *testing.T) {
	var page []string
	bucket := strings.Repeat(`[0,"0.5","1","0"],`, 199) + `[0,"0.5","1","5"]`
	const series = 1000
	for i := range series {
		page = append(page, fmt.Sprintf(`{"metric":{"__name__":"h_seconds","pod":"%d"},"histogram":[1,{"count":"5","sum":"1","buckets":[%s]}]}`, i, bucket))
	}
	for i := range series {
		page = append(page, fmt.Sprintf(`{"metric":{"__name__":"h_seconds_bucket","pod":"%d","le":"+Inf"},"value":[1,"5"]}`, i))
	}
	o := mustText(t, "["+strings.Join(page, ",")+"]", Query{SinceStart: true})
	upper(t, o, map[float64]string{1: "1s"})
	if o.Dist.Count() != 5*series || o.Series != series {
		t.Errorf("%d samples in %d series", o.Dist.Count(), o.Series)
	}
}

// Pod b appears one step after the start: all that it holds is growth.
func TestSeriesBornAtTheSecondStep(t *testing.T) {
	const a = `{"metric":{"__name__":"h_seconds_bucket","le":"1","pod":"a"},"values":[[0,"0"],[15,"10"],[30,"20"]]},{"metric":{"__name__":"h_seconds_bucket","le":"+Inf","pod":"a"},"values":[[0,"0"],[15,"10"],[30,"20"]]}`
	b := func(points string) string {
		return `,{"metric":{"__name__":"h_seconds_bucket","le":"+Inf","pod":"b"},"values":[` + points + `]}`
	}
	for points, want := range map[string]uint64{
		`[15,"500"],[30,"1500"]`: 20 + 1500, // aligned: born
		`[30,"500"]`:             20 + 500,  // seen once
		`[14,"500"],[29,"1500"]`: 20 + 1000, // scraped in between: not born
		`[0,"500"],[30,"1500"]`:  20 + 1000,
	} {
		o := mustText(t, "["+a+b(points)+"]", Query{})
		if o.Dist.Count() != want || o.Dist.Max().Upper != 1<<63-1 {
			t.Errorf("%s: %d samples up to %v, want %d", points, o.Dist.Count(), o.Dist.Max(), want)
		}
	}
	native := func(pod string, points ...string) string {
		return `{"metric":{"__name__":"h_seconds","pod":"` + pod + `"},"histograms":[` + strings.Join(points, ",") + `]}`
	}
	point := func(ts, n int) string { return fmt.Sprintf(`[%d,`+twoBuckets+`]`, ts, n, n, 0) }
	for _, c := range []struct {
		b    string
		want uint64
	}{{native("b", point(15, 5), point(30, 6)), 2 + 6}, {native("b", point(30, 5)), 2 + 5}, {native("b", point(14, 5), point(29, 6)), 2 + 1}} {
		o := mustText(t, "["+native("a", point(0, 1), point(15, 2), point(30, 3))+","+c.b+"]", Query{})
		if o.Dist.Count() != c.want {
			t.Errorf("%s: %d samples, want %d", c.b, o.Dist.Count(), c.want)
		}
	}
}

// The buckets grow past their old counts; the sum, the count, or the start
// tells the restart.
func TestMatrixWithARestartToldAside(t *testing.T) {
	const page = `[{"metric":{"__name__":"h_seconds_bucket","le":"0.1"},"values":[[0,"100"],[15,"90000"]]},{"metric":{"__name__":"h_seconds_bucket","le":"10"},"values":[[0,"200"],[15,"90100"]]},{"metric":{"__name__":"h_seconds_bucket","le":"+Inf"},"values":[[0,"200"],[15,"90100"]]}`
	for aside, restarts := range map[string]bool{
		`,{"metric":{"__name__":"h_seconds_sum"},"values":[[0,"1000"],[15,"10"]]}`:                    true,
		`,{"metric":{"__name__":"h_seconds_count"},"values":[[0,"95000"],[15,"90100"]]}`:              true,
		`,{"metric":{"__name__":"h_seconds_created"},"values":[[0,"1.7e9"],[15,"1.8e9"]]}`:            true,
		`,{"metric":{"__name__":"process_start_time_seconds","job":"x"},"values":[[0,"1"],[15,"9"]]}`: true,
		`,{"metric":{"__name__":"h_seconds_sum"},"values":[[0,"10"],[15,"1000"]]}`:                    false,
		`,{"metric":{"__name__":"process_start_time_seconds"},"values":[[0,"1"],[15,"1"]]}`:           false,
	} {
		o := mustText(t, page+aside+"]", Query{})
		if restarts && (o.Dist.Count() != 90_100 || o.Dist.Max().Upper != 10*time.Second) {
			t.Errorf("%s: %d samples up to %v", aside, o.Dist.Count(), o.Dist.Max())
		}
		if !restarts && (o.Dist.Count() != 89_900 || o.Dist.Max().Upper != 100*time.Millisecond) {
			t.Errorf("%s: %d samples up to %v", aside, o.Dist.Count(), o.Dist.Max())
		}
	}
	// A native histogram carries its own sum.
	o := mustText(t, `[{"metric":{"__name__":"h_seconds"},"histograms":[[0,{"count":"5","sum":"9","buckets":[[0,"1","2","5"]]}],[15,{"count":"8","sum":"8.5","buckets":[[0,"1","2","8"]]}]]}]`, Query{})
	if o.Dist.Count() != 8 {
		t.Errorf("%d samples", o.Dist.Count())
	}
}

// Nobody looked for two hours: a restart may be hidden there.
func TestMatrixWithALongGap(t *testing.T) {
	const page = `[{"metric":{"__name__":"h_seconds_bucket","le":"1"},"values":[[0,"100"],[15,"100"],[30,"110"],[8000,"%d"]]},{"metric":{"__name__":"h_seconds_bucket","le":"+Inf"},"values":[[0,"100"],[15,"100"],[30,"110"],[8000,"%[1]d"]]}]`
	f, ok := has(mustText(t, fmt.Sprintf(page, 9000), Query{}), "LP207")
	if !ok || f.Severity != finding.Warning || !strings.Contains(f.Message, "2h12m50s") || !strings.Contains(f.Message, "15s") {
		t.Errorf("a gap is not told: %v", f)
	}
	if f, ok := has(mustText(t, fmt.Sprintf(page, 90), Query{}), "LP207"); ok {
		t.Errorf("the restart shows: %v", f)
	}
}

func TestMatchOfNothing(t *testing.T) {
	const page = "h_seconds_bucket{svc=\"a\",zone=\"b\",le=\"1\"} 1\nh_seconds_bucket{svc=\"a\",zone=\"b\",le=\"+Inf\"} 1\n"
	const json = `[{"metric":{"__name__":"h_seconds_bucket","svc":"a","zone":"b","le":"+Inf"},"value":[1,"1"]}]`
	for _, content := range []string{page, json} {
		for _, metric := range []string{"", "h_seconds"} {
			_, err := text("x", content, Query{Metric: metric, Match: must(ParseMatch(`svc="nope"`))})
			refused(t, err, fault.Usage, metric, "--match", "svc, zone")
		}
	}
	_, err := text("x", page, Query{Metric: "other", Match: must(ParseMatch(`svc="a"`))})
	refused(t, err, fault.Usage, "other is not there", "h_seconds")
}
