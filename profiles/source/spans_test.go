package source

import (
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
)

// Exports from before 2022 call a scope an instrumentation library; both names
// may stand in one file.
func TestSpansUnderTheOldName(t *testing.T) {
	o := mustText(t, `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"lock","startTimeUnixNano":"1000","endTimeUnixNano":"2000"}]}],"instrumentationLibrarySpans":[{"spans":[{"name":"lock","startTimeUnixNano":"1000","endTimeUnixNano":"9000001000"}]}]}]}`, Query{})
	upper(t, o, map[float64]string{0.5: "1us", 1: "9s"})
	if o.Dist.Count() != 2 {
		t.Errorf("%d spans, want 2", o.Dist.Count())
	}
}

// 40 holds that an application with the JavaScript SDK traced, as it sent them
// and as the collector wrote them. The values are by Python over the files:
// end less start. Mixed with the 10 statements inside them P50 would be 8.197 ms;
// the one that failed after 2 s is no hold of 2 s.
func TestOTLPSpansFromSDKAndCollector(t *testing.T) {
	for _, name := range []string{"otlp-js-traces.json", "otlp-collector-traces.json"} {
		o := mustFile(t, name, Query{Operation: "lock.hold"})
		upper(t, o, map[float64]string{0.5: "8535012ns", 0.9: "27624521ns", 0.97: "1201548606ns", 1: "2007890771ns"})
		if o.Dist.Count() != 40 || o.Format != "otlp-spans" {
			t.Errorf("%s: %d spans by %s", name, o.Dist.Count(), o.Format)
		}
		if !told(o, "1 span ended in an error") || !told(o, "sampled") {
			t.Errorf("%s: findings %v", name, o.Findings)
		}
	}
}

// The same spans as Jaeger's two APIs give them. The older one cuts durations to
// whole microseconds: by jq the longest is 2007890 us, and was 2007890.771 us.
func TestJaeger(t *testing.T) {
	o := mustFile(t, "jaeger.json", Query{Operation: "lock.hold"})
	upper(t, o, map[float64]string{0.5: "8536us", 0.9: "27625us", 0.97: "1201549us", 1: "2007891us"})
	if o.Dist.Count() != 40 || o.Format != "jaeger" || o.Dist.Max().Upper < 2_007_890_771 {
		t.Errorf("%d spans by %s, longest %v", o.Dist.Count(), o.Format, o.Dist.Max())
	}
	if !told(o, "1 span ended in an error") || !told(o, "sampled") {
		t.Errorf("findings %v", o.Findings)
	}
	_, err := file(t, "jaeger.json", Query{})
	refused(t, err, fault.Usage, "several operations", "lock.hold, sql")
	o = mustFile(t, "jaeger-v3.json", Query{Operation: "lock.hold"})
	upper(t, o, map[float64]string{0.5: "8535012ns", 1: "2007890771ns"})
	if o.Dist.Count() != 40 || o.Format != "otlp-spans" || !told(o, "1 span ended in an error") {
		t.Errorf("%d spans by %s, findings %v", o.Dist.Count(), o.Format, o.Findings)
	}
}

// Every spelling of a span that ended in an error, and of one that did not.
func TestSpansThatFailed(t *testing.T) {
	for content, failed := range map[string]bool{
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"a","startTimeUnixNano":"1","endTimeUnixNano":"2","status":{"message":"x","code":2}}]}]}]}`:         true,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"a","startTimeUnixNano":"1","endTimeUnixNano":"2","status":{"code":"STATUS_CODE_ERROR"}}]}]}]}`:     true,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"a","startTimeUnixNano":"1","endTimeUnixNano":"2","status":{"code":"STATUS_CODE_OK"}}]}]}]}`:        false,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"a","startTimeUnixNano":"1","endTimeUnixNano":"2","status":{}}]}]}]}`:                               false,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"a","startTimeUnixNano":"1","endTimeUnixNano":"2","status":null}]}]}]}`:                             false,
		`{"data":[{"traceID":"1","spans":[{"operationName":"a","duration":9,"tags":[{"key":"error","type":"bool","value":true},{"key":"x","value":false}]}]}]}`: true,
		`{"data":[{"traceID":"1","spans":[{"operationName":"a","duration":9,"tags":[{"key":"error","type":"string","value":"true"}]}]}]}`:                       true,
		`{"data":[{"traceID":"1","spans":[{"operationName":"a","duration":9,"tags":[{"key":"error","value":false},{"key":"ok","value":true}]}]}]}`:              false,
		`{"data":[{"traceID":"1","spans":[{"operationName":"a","duration":9,"tags":null}]}]}`:                                                                   false,
	} {
		if o := mustText(t, content, Query{}); told(o, "ended in an error") != failed {
			t.Errorf("%s: findings %v", content, o.Findings)
		}
	}
}
