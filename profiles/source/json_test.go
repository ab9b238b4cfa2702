package source

import (
	"bufio"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/lockplan/lockplan/calc/fault"
)

// inJSON has an input for each reader of JSON. The slow sample stands behind
// keys that a reader must not lose; one of them is written with an escape.
var inJSON = map[string]struct {
	q       Query
	content string
	samples uint64 // 0: claims only
	longest string
}{
	"prometheus-json": {Query{SinceStart: true}, `{"status":"success","data":{"resultType":"vector","result":[
{"metric":{"__name__":"h_seconds","pod":"a"},"histogram":[1,{"count":"9","sum":"1","buckets":[[0,"0.001","0.002","9"]]}]},
{"metric" : {"__name__" : "h_seconds" , "p\u006fd" : "b"} , "histogram" : [1,{"count" : "3","sum":"30","buckets" : [[0,"8","16","3"]]}]}]}}`, 12, "16s"},
	"matrix": {Query{Format: "prometheus-json"}, `{"status":"success","data":{"resultType":"matrix","result":[
{"metric":{"__name__":"h_seconds_bucket","le":"1"},"values":[[1764500000,"0"],[1764500060,"5"]]},
{"metric":{"__name__":"h_seconds_bucket","le":"16"},"values":[[1764500000,"0"],[1764500060,"8"]]},
{"metric":{"__name__":"h_seconds_bucket","le":"+Inf"},"values":[[1764500000,"0"],[1764500060,"8"]]}]}}`, 8, "16s"},
	"otlp":          {Query{}, otlpLine(1, "ms", "1000000000", "2000000000", 9, 0, 0) + otlpLine(1, "ms", "2000000000", "3000000000", 0, 1, 0), 10, "1s"},
	"otlp-spans":    {Query{Operation: "lock"}, `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"lock","startTimeUnixNano":"1000","endTimeUnixNano":"2000"},{"name":"lo\u0063k","startTimeUnixNano" : "1000","endTimeUnixNano" : "1500001000"}]}]}]}`, 2, "1.5s"},
	"jaeger":        {Query{Operation: "lock"}, `{"data":[{"traceID":"1","spans":[{"operationName":"sql","duration":9},{"operationName" : "lock","duration" : 9000000}]}]}`, 1, "9000001us"},
	"ndjson":        {Query{Field: "lock.took_ms"}, `{"at":1,"lock":{"took_ms":1}}` + "\n" + `{"at":2,"lock" : {"took_\u006ds" : 9000}}`, 2, "9001ms"},
	"k6-json":       {Query{Metric: "hold"}, `{"type":"Metric","data":{"type":"trend","contains":"time"},"metric":"hold"}` + "\n" + `{"metric":"hold","type":"Point","data":{"time":"x","value":9000,"tags":{}}}`, 1, "9s"},
	"k6-summary":    {Query{Metric: "hold"}, `{"metrics":{"hold":{"type":"trend","contains":"time","values":{"count":10,"min":1,"med":5,"max":9000}}}}`, 10, "9s"},
	"vegeta":        {Query{}, `{"attack":"","latency":5,"error":""}` + "\n" + `{"attack":"","code":200,"latency" : 9000000000,"error":""}`, 2, "9s"},
	"vegeta-report": {Query{}, `{"latencies":{"mean":1,"50th":5,"99th" : 7,"max" : 8999999999}}`, 0, "9s"},
	"oha":           {Query{}, `{"summary":{"successRate":1.0,"slowest" : 8},"latencyPercentiles":{"p50":0.1,"p99.99":null}}`, 0, "9s"},
	"fortio":        {Query{}, `{"RunType":"HTTP","DurationHistogram" : {"Count":100,"Data":[{"Start":0.0005,"End":0.001,"Count":90},{"Start":0.2,"End" : 9,"Count" : 10}]}}`, 100, "9s"},
	"ghz":           {Query{}, `{"count":2,"slowest":9000000000,"latencyDistribution":[{"percentage":99,"latency":5000000}],"details":[{"latency":1000000,"error":""},{"latency" : 9000000000,"error":""}]}`, 2, "9s"},
	"redis-histogram": {Query{Metric: "eval"}, `{"set":{"calls":1,"histogram_usec":{"1":1}},
"eval" : {"calls" : 5,"histogram_usec" : {"16":2,"262144" : 5}}}`, 5, "262145us"},
}

func checkJSON(t *testing.T, name string, samples uint64, longest string, o *Observation, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if samples == 0 {
		claims(t, o, map[float64]string{1: longest})
		return
	}
	upper(t, o, map[float64]string{1: longest})
	if o.Dist.Count() != samples {
		t.Fatalf("%s: %d samples, want %d", name, o.Dist.Count(), samples)
	}
}

// A key that the next read overwrote was taken for another one, and its record
// vanished without a word. Here each byte is a read of its own.
func TestJSONByteByByte(t *testing.T) {
	for name, c := range inJSON {
		whole, err := text("x", c.content, c.q)
		checkJSON(t, name, c.samples, c.longest, whole, err)
		f, err := choose(nil, whole.Format)
		if err != nil {
			t.Fatal(err)
		}
		in := &input{name: "x", r: bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(c.content)), 16), head: []byte(c.content)}
		o, err := f.read(in, &c.q)
		if err == nil {
			o.widen()
		}
		checkJSON(t, name, c.samples, c.longest, o, err)
		if !reflect.DeepEqual(o.Dist, whole.Dist) || !reflect.DeepEqual(o.Claims, whole.Claims) {
			t.Errorf("%s: another distribution byte by byte", name)
		}
	}
}

// The same through the front door: blanks move each byte in turn to the end of
// the first read.
func TestJSONAtTheEdgeOfARead(t *testing.T) {
	for name, c := range inJSON {
		if c.q.Format == "" {
			c.q.Format = name
		}
		for i := 1; i < len(c.content); i++ {
			padded := c.content[:1] + strings.Repeat(" ", headSize-i-1) + c.content[1:]
			o, err := text("x", padded, c.q)
			checkJSON(t, name, c.samples, c.longest, o, err)
		}
	}
}

// A file cut inside a string is cut off; it holds no NUL.
func TestJSONCutInAString(t *testing.T) {
	for _, content := range []string{`{"attack":"","latency":5,"error":"ref`, `{"attack":"","latency":5,"err`, `{"attack":"\"","latency":5,"error":"ref\`, `{"attack":"","latency":5,"error":"\u00`} {
		_, err := text("x", content, Query{Format: "vegeta"})
		refused(t, err, fault.Usage, "x:1", "cut off")
	}
}
