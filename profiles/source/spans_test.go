package source

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
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

// A span that stands in two pages or exports is one span: the recorded traces,
// given twice, are the recorded traces.
func TestSpansCountOnce(t *testing.T) {
	twice := func(name string) string {
		page := recordedFile(t, name)
		if name != "jaeger.json" { // one export a line
			return string(page) + "\n" + string(page)
		}
		var pages struct {
			Data []json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(page, &pages); err != nil {
			t.Fatal(err)
		}
		pages.Data = append(pages.Data, pages.Data...)
		page, err := json.Marshal(pages)
		if err != nil {
			t.Fatal(err)
		}
		return string(page)
	}
	for _, name := range []string{"jaeger.json", "otlp-js-traces.json", "otlp-collector-traces.json"} {
		once := mustFile(t, name, Query{Operation: "lock.hold"})
		o, err := text("x", twice(name), Query{Operation: "lock.hold"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if o.Dist.Count() != once.Dist.Count() {
			t.Errorf("%s twice: %d spans, once %d", name, o.Dist.Count(), once.Dist.Count())
		}
		if f, told := has(o, "LP207"); !told || f.Severity != finding.Info {
			t.Errorf("%s: %v", name, o.Findings)
		}
		if _, told := has(once, "LP207"); told {
			t.Errorf("%s: %v", name, once.Findings)
		}
	}
}

// Far more spans than are remembered: unlike ones all count.
func TestSpansBeyondThoseRemembered(t *testing.T) {
	var s spanSet
	for i := range 3 * mostSpans {
		if !s.add("t", strconv.Itoa(i)) {
			t.Fatalf("span %d was not met before", i)
		}
	}
	if s.add("t", strconv.Itoa(3*mostSpans-1)) {
		t.Error("the last span counts again")
	}
}

// recordedFile is the content of a file of testdata/source.
func recordedFile(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "testdata", "source", name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}
