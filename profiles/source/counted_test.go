package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/finding"
)

const podA = "h_seconds_bucket{pod=\"a\",le=\"0.1\"} 4000\nh_seconds_bucket{pod=\"a\",le=\"+Inf\"} 4000\nh_seconds_count{pod=\"a\"} 4000\nh_seconds_sum{pod=\"a\"} 40\n"

// openEnded is how many samples have no upper end.
func openEnded(o *Observation) (n uint64) {
	for b := range o.Dist.All() {
		if b.Hi == dist.Inf {
			n += b.Count
		}
	}
	return n
}

// Pod a has 4 000 samples up to 100 ms, pod b 5 000 that only its count shows:
// Micrometer does so where one pod publishes a percentile histogram and the
// other none. Nothing bounds the 5 000.
func TestSeriesWithoutBuckets(t *testing.T) {
	const podB = "h_seconds_count{pod=\"b\"} 5000\nh_seconds_sum{pod=\"b\"} 40000\n"
	vm := "h_seconds_bucket{pod=\"a\",vmrange=\"1.000e-01...1.136e-01\"} 4000\nh_seconds_count{pod=\"a\"} 4000\n"
	json := func(results ...string) string {
		return `{"status":"success","data":{"resultType":"vector","result":[` + strings.Join(results, ",") + `]}}`
	}
	jsonA := `{"metric":{"__name__":"h_seconds_bucket","pod":"a","le":"0.1"},"value":[1,"4000"]},{"metric":{"__name__":"h_seconds_bucket","pod":"a","le":"+Inf"},"value":[1,"4000"]}`
	jsonB := `{"metric":{"__name__":"h_seconds_count","pod":"b"},"value":[1,"5000"]}`
	overTime := func(metric string, counts ...int) string {
		var points []string
		for i, n := range counts {
			points = append(points, fmt.Sprintf(`[%d,"%d"]`, 1000+60*i, n))
		}
		return `{"metric":{` + metric + `},"values":[` + strings.Join(points, ",") + `]}`
	}
	rangeA := overTime(`"__name__":"h_seconds_bucket","pod":"a","le":"0.1"`, 0, 2000, 4000) + "," + overTime(`"__name__":"h_seconds_bucket","pod":"a","le":"+Inf"`, 0, 2000, 4000)
	for name, c := range map[string]struct {
		text       string
		count      uint64
		unbounded  uint64
		lp205, lp6 finding.Severity
	}{
		"behind":                          {podA + podB, 9000, 5000, 0, finding.Warning},
		"in front":                        {podB + podA, 9000, 5000, 0, finding.Warning},
		"behind, typed":                   {"# TYPE h_seconds histogram\n" + podA + podB, 9000, 5000, 0, finding.Warning},
		"a summary with its count":        {podA + "h_seconds{pod=\"b\",quantile=\"0.999\"} 9\n" + podB, 9000, 5000, 0, finding.Warning},
		"a summary without":               {podA + "h_seconds{pod=\"b\",quantile=\"0.999\"} 9\n", 4000, 0, finding.Error, 0},
		"percentiles of one with buckets": {podA + "h_seconds{pod=\"a\",quantile=\"0.999\"} 0.09\n", 4000, 0, 0, 0},
		"nothing counted":                 {podA + "h_seconds_count{pod=\"b\"} 0\n", 4000, 0, 0, 0},
		"ranges":                          {vm + podB, 9000, 5000, 0, finding.Warning},
		"ranges, in front":                {podB + vm, 9000, 5000, 0, finding.Warning},
		"ranges, their own in front":      {"h_seconds_count{pod=\"a\"} 4000\n" + vm[:strings.Index(vm, "\n")+1], 4000, 0, 0, 0},
		"JSON":                            {json(jsonA, jsonB), 9000, 5000, 0, finding.Warning},
		"JSON, in front":                  {json(jsonB, jsonA), 9000, 5000, 0, finding.Warning},
		"JSON, a summary":                 {json(jsonA, `{"metric":{"__name__":"h_seconds","pod":"b","quantile":"0.999"},"value":[1,"9"]}`), 4000, 0, finding.Error, 0},
		// 1000 to 1500, a restart, 700 after it: 500 + 700.
		"a range": {json(rangeA, overTime(`"__name__":"h_seconds_count","pod":"b"`, 1000, 1500, 700)), 5200, 1200, 0, finding.Warning},
		// It began inside the window: all 600 are growth.
		"a range, born late": {json(rangeA, `{"metric":{"__name__":"h_seconds_count","pod":"b"},"values":[[1060,"100"],[1120,"600"]]}`), 4600, 600, 0, finding.Warning},
		"a range, of both":   {json(rangeA, overTime(`"__name__":"h_seconds_count","pod":"a"`, 0, 2000, 4000)), 4000, 0, 0, 0},
	} {
		for _, q := range []Query{{SinceStart: true}, {SinceStart: true, Metric: "h_seconds"}} {
			o, err := Read("x", strings.NewReader(c.text), q)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			lp205, _ := has(o, "LP205")
			lp206, _ := has(o, "LP206")
			if o.Dist.Count() != c.count || openEnded(o) != c.unbounded || lp205.Severity != c.lp205 || lp206.Severity != c.lp6 {
				t.Errorf("%s: %d samples, %d unbounded, findings %v", name, o.Dist.Count(), openEnded(o), o.Findings)
			}
			if c.unbounded > 0 && o.Mean != nil {
				t.Errorf("%s: a mean of %v, which leaves pod b out", name, o.Mean)
			}
		}
	}
	q := Query{SinceStart: true, Match: must(ParseMatch(`pod="a"`))}
	for _, text := range []string{podA + podB, podB + podA, json(jsonA, jsonB), json(jsonB, jsonA),
		json(rangeA, overTime(`"__name__":"h_seconds_count","pod":"b"`, 1000, 1500, 700))} {
		if o := must(Read("x", strings.NewReader(text), q)); o.Dist.Count() != 4000 || len(o.Findings) != 0 {
			t.Errorf("only pod a: %d samples, findings %v", o.Dist.Count(), o.Findings)
		}
	}
}

// Since the earlier page pod a saw 1 000 samples and pod b 500; pod c began
// again, and its 20 are what is known.
func TestSeriesWithoutBucketsSince(t *testing.T) {
	page := func(a, b, c int) string {
		return fmt.Sprintf("h_seconds_bucket{pod=\"a\",le=\"0.1\"} %d\nh_seconds_bucket{pod=\"a\",le=\"+Inf\"} %d\nh_seconds_count{pod=\"b\"} %d\nh_seconds_count{pod=\"c\"} %d\n", a, a, b, c)
	}
	o := must(Read("later", strings.NewReader(page(4000, 5000, 20)), Query{Earlier: strings.NewReader(page(3000, 4500, 800)), EarlierName: "earlier"}))
	if o.Dist.Count() != 1520 || openEnded(o) != 520 {
		t.Errorf("%d samples, %d unbounded, findings %v", o.Dist.Count(), openEnded(o), o.Findings)
	}
	if f, told := has(o, "LP207"); !told || !strings.Contains(f.Message, "1 series") {
		t.Errorf("findings %v", o.Findings)
	}
}
