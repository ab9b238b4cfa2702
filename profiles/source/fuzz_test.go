package source

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
)

// fuzz feeds foreign bytes to one format: it ends in an observation that is
// consistent or in a fault, whatever they are.
func fuzz(f *testing.F, name string, q Query, seeds ...string) {
	for _, seed := range seeds {
		content, err := os.ReadFile(filepath.Join("..", "..", "testdata", "source", seed))
		if err != nil {
			content = []byte(seed)
		}
		f.Add(content[:min(len(content), 20_000)])
	}
	q.Format = name
	f.Fuzz(func(t *testing.T, content []byte) {
		o, err := Read("fuzz", bytes.NewReader(content), q)
		consistent(t, o, err)
	})
}

func consistent(t *testing.T, o *Observation, err error) {
	if err != nil {
		if _, ok := err.(*fault.Error); !ok {
			t.Fatalf("not a fault: %T %v", err, err)
		}
		for _, c := range err.Error() + fault.HintOf(err) {
			if c < ' ' || c == 0x7f {
				t.Fatalf("a control character would reach the terminal: %q", err.Error())
			}
		}
		return
	}
	for _, f := range o.Findings {
		for _, c := range f.Message + f.Fix {
			if c < ' ' || c == 0x7f {
				t.Fatalf("a control character would reach the terminal: %q", f.Message)
			}
		}
	}
	if o.Dist == nil {
		if len(o.Claims) == 0 && len(o.Findings) == 0 {
			t.Fatal("neither samples, claims nor findings")
		}
		return
	}
	if o.Dist.Count() == 0 {
		t.Fatal("an empty distribution")
	}
	for b := range o.Dist.All() {
		if b.Lo < 0 || b.Hi < b.Lo {
			t.Fatalf("an impossible bucket %+v", b)
		}
	}
	if iv := o.Dist.Quantile(0.999); iv.Lower > iv.Upper {
		t.Fatalf("an impossible interval %+v", iv)
	}
}

func FuzzPrometheusText(f *testing.F) {
	fuzz(f, "prometheus", Query{}, "locks.prom", "gen-federate-untyped.prom.txt", "prom-exemplars-created.om.txt",
		"promtool-dump-openmetrics.om.txt", "{\"h\",le=\"1\"} 3\n", "h_bucket{le=\"1\",a=\"\\\"\"} 1 2 # {} 3\n")
}

func FuzzOpenMetrics(f *testing.F) {
	fuzz(f, "prometheus", Query{Metric: "lock_hold_seconds", SinceStart: true}, "locks.om", "gen-lock-hold.om.txt")
}

func FuzzPrometheusJSON(f *testing.F) {
	fuzz(f, "prometheus-json", Query{}, "gen-api-instant-classic.json", "gen-api-instant-native.json", "gen-api-matrix-reset.json",
		`[{"metric":{"le":"1"},"values":[[1,"2"],[2.5,"3"]]}]`, `{"status":"error","error":"\ud83d\ude00\n"}`)
}

func FuzzMatch(f *testing.F) {
	f.Add(`a="b",c=~"d|e"`)
	f.Fuzz(func(t *testing.T, text string) {
		if ms, err := ParseMatch(text); err == nil && len(ms) == 0 {
			t.Fatal("no conditions and no error")
		}
	})
}

func FuzzDurations(f *testing.F) {
	fuzz(f, "durations", Query{Unit: "ms"}, "1.5s\nPT1M\n00:01\n12\n", "# x\nhold_ms\n1\n")
}

func FuzzCSV(f *testing.F) {
	fuzz(f, "csv", Query{Column: "2", Unit: "ms"}, "a,b\n1,2\n", "sep=;\na;b\n1;\"2,5\"\n")
}

func FuzzNDJSON(f *testing.F) {
	fuzz(f, "ndjson", Query{Field: "a.b", Unit: "ms"}, `{"a":{"b":1}} [{"a":{"b":"2s"}}]`)
}

func FuzzJTL(f *testing.F) {
	fuzz(f, "jtl", Query{Match: must(ParseMatch(`label=~".*"`))}, "jmeter-HTMLReportTestFile.jtl.csv", "jmeter-5.6.jtl.csv")
}

func FuzzJTLXML(f *testing.F) {
	fuzz(f, "jtl-xml", Query{Match: must(ParseMatch(`label=~".*"`))}, "jmeter-5.6.jtl.xml", `<testResults><sample t="1" lb="a" s="true"><httpSample t="2"/></sample></testResults>`)
}

func FuzzPrometheusDump(f *testing.F) {
	fuzz(f, "prometheus-dump", Query{}, "promtool-dump-openmetrics.om.txt", "gen-promtool-query-instant.txt", "tsdb-dump.txt", "h_seconds_bucket{le=\"1\"} =>\n5 @[10]\n9 @[20]\n")
}

func FuzzVMRange(f *testing.F) {
	fuzz(f, "prometheus", Query{}, "vmrange.prom", "h_seconds_bucket{vmrange=\"8.799e-02...1.000e-01\"} 10\nh_seconds_count 12\n")
}
