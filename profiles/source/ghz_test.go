package source

import (
	"os"
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

// ghz prints P99 1.235 s and the slowest 1.309 s, of the calls that succeeded.
// Of all 300, by Python over the details, the 295th is 1.309089812 s and the
// last five ran into the timeout of 2 s.
func TestGhzTimeouts(t *testing.T) {
	o := mustFile(t, "ghz.json", Query{})
	upper(t, o, map[float64]string{0.5: "5796689ns", 0.9: "9173736ns", 0.98: "1255311929ns", 0.99: "inf", 1: "inf"})
	if at := o.Dist.AtRank(295); o.Dist.Count() != 300 || at.Upper != duration(t, "1309089812ns") {
		t.Errorf("%d samples, the 295th %v", o.Dist.Count(), at)
	}
	if !told(o, "13 calls failed") || !told(o, "5 calls were given up") {
		t.Errorf("findings %v", o.Findings)
	}
}

// The same run without its details: ghz's P99 of the 287 is P94.71 of the 300.
func TestGhzTimeoutsWithoutDetails(t *testing.T) {
	content, err := os.ReadFile("../../testdata/source/ghz.json")
	if err != nil {
		t.Fatal(err)
	}
	page, _, _ := strings.Cut(string(content), `,"details":`)
	o := mustText(t, page+"}", Query{})
	claims(t, o, map[float64]string{0.9471: "1235693719ns", 0.956666: "1309089813ns"})
	if most := o.Claims[len(o.Claims)-1].Q; most != 0.956666 {
		t.Errorf("claims up to P%v", most*100)
	}
	if !told(o, "13 calls failed") || !told(o, "5 calls were given up") {
		t.Errorf("findings %v", o.Findings)
	}
	// Where ghz counts the failed calls in, those given up are too short there.
	o = mustText(t, strings.Replace(page, `"options":{`, `"options":{"count-errors":true,`, 1)+"}", Query{})
	if most := o.Claims[len(o.Claims)-1].Q; most != 0.983333 {
		t.Errorf("claims up to P%v", most*100)
	}
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
		// P99 and the slowest of the 100 that were timed, of all 500.
		claims(t, o, map[float64]string{0.198: "40000001ns", 0.2: "50000001ns"})
		if len(o.Claims) != 2 {
			t.Errorf("claims %v", o.Claims)
		}
		if !told(o, "400 calls failed") {
			t.Errorf("%s: findings %v", counts, o.Findings)
		}
	}
	if o := mustText(t, `{"count":500,"slowest":50000000,"errorDistribution":{},"statusCodeDistribution":{"OK":500}`+rest, Query{}); told(o, "failed") {
		t.Errorf("findings %v", o.Findings)
	}
}
