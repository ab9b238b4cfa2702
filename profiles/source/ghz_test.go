package source

import (
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
)

// told says whether a warning of thin data has that text.
func told(o *Observation, part string) bool {
	for _, f := range o.Findings {
		if f.ID == "LP202" && strings.Contains(f.Message, part) {
			return true
		}
	}
	return false
}

// ghz keeps at most a million details; what they lack is not fast.
func TestGhzWithoutAllDetails(t *testing.T) {
	const rest = `,"latencyDistribution":[{"percentage":99,"latency":40000000}],"details":[{"latency":1000,"error":"","status":"OK"},{"latency":2000,"error":"","status":"OK"}]}`
	o := mustText(t, `{"count":500,"slowest":5000000000`+rest, Query{})
	upper(t, o, map[float64]string{0.002: "1us", 0.5: "5s", 1: "5s"})
	if o.Dist.Count() != 500 || !told(o, "lack 498 calls") {
		t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
	}
	// A failed call may have taken any time.
	o = mustText(t, `{"count":500,"slowest":5000000000,"errorDistribution":{"rpc error: DeadlineExceeded":400}`+rest, Query{})
	upper(t, o, map[float64]string{0.2: "5s", 0.21: "inf"})
	if !told(o, "400 calls failed") {
		t.Errorf("findings %v", o.Findings)
	}
	o = mustText(t, `{"count":2,"slowest":5000000000`+rest, Query{})
	upper(t, o, map[float64]string{1: "5s"})
	if o.Dist.Count() != 3 || !told(o, "lack 1 call:") {
		t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
	}
	o = mustText(t, `{"count":2,"slowest":2000`+rest, Query{})
	if o.Dist.Count() != 2 || told(o, "lack") {
		t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
	}
	_, err := text("x", `{"count":-5,"slowest":2000`+rest, Query{})
	refused(t, err, fault.Usage, "x:1", "whole count")
}

// Without details the distributions tell of the calls that failed.
func TestGhzFailuresWithoutDetails(t *testing.T) {
	const rest = `,"latencyDistribution":[{"percentage":99,"latency":40000000}],"details":null}`
	for _, counts := range []string{
		`"errorDistribution":{"rpc error: DeadlineExceeded":399,"rpc error: Unavailable":1},"statusCodeDistribution":{"DeadlineExceeded":399,"Unavailable":1,"OK":100}`,
		`"errorDistribution":{"rpc error":400}`,
		`"errorDistribution":null,"statusCodeDistribution":{"DeadlineExceeded":400,"OK":100}`,
	} {
		o := mustText(t, `{"count":500,"slowest":50000000,`+counts+rest, Query{})
		claims(t, o, map[float64]string{1: "50000001ns"})
		if !told(o, "400 calls failed") {
			t.Errorf("%s: findings %v", counts, o.Findings)
		}
	}
	if o := mustText(t, `{"count":500,"slowest":50000000,"errorDistribution":{},"statusCodeDistribution":{"OK":500}`+rest, Query{}); told(o, "failed") {
		t.Errorf("findings %v", o.Findings)
	}
}
