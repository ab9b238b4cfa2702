package source

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// answering is a server that answers each expression as a function says: the
// result, and what stands beside it.
func answering(t *testing.T, answer func(query string) (result, beside string)) Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if covers(w, r.FormValue("query")) {
			return
		}
		result, beside := answer(r.FormValue("query"))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"status":"success"%s,"data":{"resultType":"vector","result":%s}}`, beside, result)
	}))
	t.Cleanup(server.Close)
	return at(server)
}

const (
	emptyAnswer  = "[]"
	nativeAnswer = `[{"metric":{},"histogram":[1,{"count":"5000","sum":"9","buckets":[[0,"0.001","0.002","5000"]]}]}]`
	// What Prometheus 3 says of a sum over exponential and custom buckets.
	mixedBuckets = `PromQL warning: vector contains a mix of histograms with exponential and custom buckets schemas for metric name \"h_seconds\"`
)

// A server's warning counts whatever else the answer holds: an empty one may
// be empty because of it.
func TestServerWarnings(t *testing.T) {
	isNative := func(query string) bool { return !strings.Contains(query, "_bucket") }
	isClassic := func(query string) bool { return strings.HasPrefix(query, "sum by (le) ") }
	for name, c := range map[string]struct {
		answer func(query string) (string, string)
		count  uint64
		says   string
	}{
		"native is empty": {func(query string) (string, string) {
			switch {
			case isNative(query):
				return emptyAnswer, `,"warnings":["` + mixedBuckets + `"]`
			case isClassic(query):
				return classicAnswer, ""
			}
			return emptyAnswer, ""
		}, 10_000, "exponential and custom"},
		"classic is empty": {func(query string) (string, string) {
			switch {
			case isNative(query):
				return nativeAnswer, ""
			case isClassic(query):
				return emptyAnswer, `,"warnings":["store 10.0.0.1: partial response: context deadline exceeded"]`
			}
			return emptyAnswer, ""
		}, 5000, "partial response"},
		"a node of VictoriaMetrics is away": {func(query string) (string, string) {
			if isClassic(query) {
				return classicAnswer, `,"isPartial":true`
			}
			return emptyAnswer, `,"isPartial":true`
		}, 10_000, "the answer is partial"},
		"all nodes answer": {func(query string) (string, string) {
			if isClassic(query) {
				return classicAnswer, `,"isPartial":false`
			}
			return emptyAnswer, `,"isPartial":false`
		}, 10_000, ""},
	} {
		o, err := answering(t, c.answer).Read(t.Context(), hold)
		if err != nil || o.Dist.Count() != c.count {
			t.Errorf("%s: %v, %v", name, o, err)
			continue
		}
		f, told := has(o, "LP206")
		if told != (c.says != "") || told && (f.Severity != finding.Warning || f.File == "" || !strings.Contains(f.Message, c.says)) || len(o.Findings) > 1 {
			t.Errorf("%s: findings %v", name, o.Findings)
		}
	}
	nothing := func(string) (string, string) { return emptyAnswer, `,"isPartial":true` }
	_, err := answering(t, nothing).Read(t.Context(), hold)
	refused(t, err, fault.NoData, "h_seconds", "the answer is partial")
}

// One form cannot be read: the others are not all there is.
func TestServerWhoseFormCannotBeRead(t *testing.T) {
	for name, native := range map[string]string{
		"impossible count": `[{"metric":{},"histogram":[1,{"count":"NaN","sum":"10","buckets":[[0,"5","6","4990"]]}]}]`,
		"no bucket":        `[{"metric":{},"histogram":[1,{"count":"1","sum":"10","buckets":[[0,"6","5","1"]]}]}]`,
	} {
		_, err := answering(t, func(query string) (string, string) {
			switch {
			case !strings.Contains(query, "_bucket"):
				return native, ""
			case strings.HasPrefix(query, "sum by (le) "):
				return classicAnswer, ""
			}
			return emptyAnswer, ""
		}).Read(t.Context(), hold)
		t.Log(name)
		refused(t, err, fault.Usage, "native histogram")
	}
}

// The one value without labels that a sum over classic buckets by vmrange is,
// or over a summary by nothing, is no error.
func TestServerOfAnotherForm(t *testing.T) {
	o, err := answering(t, func(query string) (string, string) {
		if strings.HasPrefix(query, "sum by (le) ") {
			return classicAnswer, ""
		}
		if strings.HasPrefix(query, "sum") {
			return `[{"metric":{},"value":[1,"28999"]}]`, ""
		}
		return emptyAnswer, ""
	}).Read(t.Context(), hold)
	if err != nil || o.Dist.Count() != 10_000 || len(o.Findings) != 0 {
		t.Errorf("%v, %v", o, err)
	}
}

// Pods that export a count and a sum only: nothing bounds their samples.
func TestServerOfSeriesWithoutBuckets(t *testing.T) {
	var asked string
	o, err := answering(t, func(query string) (string, string) {
		switch {
		case strings.HasPrefix(query, "sum by (le) "):
			return classicAnswer, ""
		case strings.HasPrefix(query, "label_replace"):
			asked = query
			return `[{"metric":{"le":"+Inf"},"value":[1,"4999.5"]}]`, ""
		}
		return emptyAnswer, ""
	}).Read(t.Context(), hold)
	if err != nil || o.Dist.Count() != 15_000 || o.Dist.Quantile(0.6).Upper == dist.Inf || o.Dist.Quantile(0.7).Upper != dist.Inf {
		t.Errorf("%v, %v, asked %s", o, err, asked)
	}
	if f, told := has(o, "LP206"); !told || f.Severity != finding.Warning || f.File == "" || !strings.Contains(f.Message, "5000 samples") {
		t.Errorf("findings %v", o.Findings)
	}
}

// Pod a has the bounds 1 and 10, pod b 5, each 1 000 samples within them. By
// bound they sum to 100, 1000, 1000 and 2000, which does not fall.
func TestServerOfUnlikeBucketsThatRise(t *testing.T) {
	o, err := answering(t, func(query string) (string, string) {
		switch {
		case strings.HasPrefix(query, "sum by (le) "):
			return `[{"metric":{"le":"1"},"value":[1,"100"]},{"metric":{"le":"5"},"value":[1,"1000"]},{"metric":{"le":"10"},"value":[1,"1000"]},{"metric":{"le":"+Inf"},"value":[1,"2000"]}]`, ""
		case strings.HasPrefix(query, "count by (le) "):
			return `[{"metric":{"le":"1"},"value":[1,"1"]},{"metric":{"le":"5"},"value":[1,"1"]},{"metric":{"le":"10"},"value":[1,"1"]},{"metric":{"le":"+Inf"},"value":[1,"2"]}]`, ""
		case strings.HasPrefix(query, "increase(h_seconds_bucket"):
			return `[{"metric":{"pod":"a","le":"1"},"value":[1,"100"]},{"metric":{"pod":"a","le":"10"},"value":[1,"1000"]},{"metric":{"pod":"a","le":"+Inf"},"value":[1,"1000"]},
{"metric":{"pod":"b","le":"5"},"value":[1,"1000"]},{"metric":{"pod":"b","le":"+Inf"},"value":[1,"1000"]}]`, ""
		}
		return emptyAnswer, ""
	}).Read(t.Context(), hold)
	if err != nil {
		t.Fatal(err)
	}
	upper(t, o, map[float64]string{0.05: "1s", 0.5: "5s", 0.999: "10s"})
	if _, told := has(o, "LP209"); !told || o.Series != 2 {
		t.Errorf("%d series, findings %v", o.Series, o.Findings)
	}
}

// The same answers as files.
func TestAnswerThatIsPartial(t *testing.T) {
	partial := `{"status":"success","isPartial":true,"data":{"resultType":"vector","result":%s}}`
	o := must(Read("vm.json", strings.NewReader(fmt.Sprintf(partial, classicAnswer)), hold))
	if f, told := has(o, "LP206"); !told || f.Severity != finding.Warning || !strings.Contains(f.Message, "partial") {
		t.Errorf("findings %v", o.Findings)
	}
	// What is missing from the earlier of two snapshots is not subtracted.
	whole := `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"le":"1"},"value":[2,"19000"]},{"metric":{"le":"2"},"value":[2,"20000"]},{"metric":{"le":"+Inf"},"value":[2,"20000"]}]}}`
	since := hold
	since.Earlier, since.EarlierName = strings.NewReader(fmt.Sprintf(partial, classicAnswer)), "earlier.json"
	o = must(Read("vm.json", strings.NewReader(whole), since))
	if f, told := has(o, "LP206"); !told || !strings.Contains(f.Message, "earlier snapshot") || !strings.Contains(f.Message, "partial") {
		t.Errorf("findings %v", o.Findings)
	}
	_, err := Read("vm.json", strings.NewReader(fmt.Sprintf(partial, emptyAnswer)), hold)
	refused(t, err, fault.NoData, "found nothing", "partial")
	_, err = Read("vm.json", strings.NewReader(`{"status":"success","isPartial":troll,"data":{}}`), hold)
	refused(t, err, fault.Usage, "no value")
}
