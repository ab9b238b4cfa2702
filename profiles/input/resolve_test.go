package input

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

const (
	ms = time.Millisecond
	s  = time.Second
)

// said is a set of flags.
func said(pairs ...string) Set {
	set := Set{}
	for i := 0; i < len(pairs); i += 2 {
		v := set[pairs[i]]
		v.Texts, v.Source = append(v.Texts, pairs[i+1]), "--"+pairs[i]
		set[pairs[i]] = v
	}
	return set
}

// files are observations by path.
type files map[string]string

func (f files) open(path string) (io.ReadCloser, error) {
	text, ok := f[path]
	if !ok {
		return nil, fault.Usagef("%s: there is no such file", path)
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

// histogram is a classic histogram in seconds by cumulative counts.
func histogram(name string, total int, cumulative ...any) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# TYPE %s histogram\n", name)
	for i := 0; i < len(cumulative); i += 2 {
		fmt.Fprintf(&out, "%s_bucket{le=\"%v\"} %d\n", name, cumulative[i], cumulative[i+1])
	}
	fmt.Fprintf(&out, "%s_bucket{le=\"+Inf\"} %d\n%s_count %d\n", name, total, name, total)
	return out.String()
}

func severities(found []finding.Finding) map[string]finding.Severity {
	out := map[string]finding.Severity{}
	for _, f := range found {
		out[f.ID] = max(out[f.ID], f.Severity)
	}
	return out
}

// A higher percentile bounds a lower one, never the reverse.
func TestClaimsBoundDownwards(t *testing.T) {
	for _, c := range []struct {
		set  Set
		want time.Duration
		err  string
	}{
		{said("p999", "800ms"), 800 * ms, ""},
		{said("p9999", "1s"), s, ""},
		{said("max", "2s"), 2 * s, ""},
		{said("p99", "500ms", "p9999", "1s"), s, ""},
		{said("p95", "500ms"), 0, "known up to P95 only"},
		{said("pause", "1s"), 0, "no hold time"},
		{said("p99", "500ms", "percentile", "0.99"), 500 * ms, ""},
		{said("p99", "500ms", "percentile", "0.95"), 500 * ms, ""},
		{said("p99", "2s", "p999", "1s"), 0, "--p99 2s is above --p999 1s"},
		{said("p50", "0s", "p999", "1s"), 0, "a hold of 0"},
	} {
		got, err := Resolve(c.set, Outside{})
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) || fault.ClassOf(err) != fault.Usage {
				t.Errorf("%v: error %v, want one with %q", c.set, err, c.err)
			}
		case err != nil:
			t.Errorf("%v: %v", c.set, err)
		case got.Inputs.Hold.Value != c.want:
			t.Errorf("%v: hold %s, want %s", c.set, got.Inputs.Hold.Value, c.want)
		}
	}
}

// The bound is the order statistic's bucket edge: of 100 000 samples the 95 %
// bound of P99.9 is the 99 917th (normal approximation: 99 900 + 1.645 ·
// sqrt(99.9) = 99 916.4).
func TestHoldIsTheConfidenceBound(t *testing.T) {
	for _, c := range []struct {
		name         string
		below, total int // samples up to 400 ms; the rest lies up to 800 ms
		want         time.Duration
	}{
		{"the point estimate alone fits", 99_916, 100_000, 800 * ms},
		{"the bound fits too", 99_917, 100_000, 400 * ms},
	} {
		f := files{"h": histogram("h_seconds", c.total, 0.4, c.below, 0.8, c.total)}
		got, err := Resolve(said("hold", "h", "since-start", "true"), Outside{Open: f.open})
		if err != nil {
			t.Fatal(err)
		}
		if h := got.Inputs.Hold; h.Value != c.want || h.Samples != uint64(c.total) || h.Kind != calc.Observed {
			t.Errorf("%s: %+v, want %s", c.name, h, c.want)
		}
	}
}

// Severity follows what the plan rests on.
func TestThinAndOpen(t *testing.T) {
	f := files{
		"thin":  histogram("h_seconds", 500, 0.1, 400, 1, 500),
		"fewer": histogram("h_seconds", 200, 0.1, 100, 1, 200),
		"open":  histogram("h_seconds", 100_000, 1, 99_800),
		"enough": histogram("h_seconds", 2995, 0.1, 400, 1,
			2995),
		"one less": histogram("h_seconds", 2994, 0.1, 400, 1, 2994),
	}
	for _, c := range []struct {
		set      Set
		id       string
		severity finding.Severity
		finite   bool
	}{
		{said("hold", "enough"), "", 0, true},
		{said("hold", "one less"), "LP202", finding.Error, false},
		{said("hold", "thin"), "LP202", finding.Error, false},
		{said("hold", "thin", "mode", "fixed"), "LP202", finding.Error, false},
		{said("hold", "thin", "allow-thin-data", "true"), "LP202", finding.Warning, true},
		{said("hold", "thin", "mode", "renewed"), "LP202", finding.Warning, false}, // 500 bound P99, 299 are enough
		{said("hold", "fewer", "mode", "renewed"), "LP202", finding.Error, false},
		{said("hold", "fewer", "mode", "renewed", "max-hold", "1m"), "LP202", finding.Warning, false},
		{said("hold", "thin", "percentile", "0.99"), "", 0, true},
		{said("hold", "thin", "confidence", "0.3"), "", 0, true}, // ln(0.7)/ln(0.999) = 357
		{said("hold", "open"), "LP201", finding.Warning, false},  // auto takes renewals, P99 is bounded
		{said("hold", "open", "mode", "fixed"), "LP201", finding.Error, false},
		{said("hold", "open", "max", "3s", "mode", "fixed"), "", 0, true},
	} {
		c.set["since-start"] = Value{Texts: []string{"true"}, Source: "--since-start"}
		got, err := Resolve(c.set, Outside{Open: f.open})
		if err != nil {
			t.Errorf("%v: %v", c.set, err)
			continue
		}
		seen := severities(got.Findings)
		for _, id := range []string{"LP201", "LP202"} {
			severity, found := seen[id]
			if found != (id == c.id) || found && severity != c.severity {
				t.Errorf("%v: %s %v %s, want %q %s", c.set["hold"].Texts, id, found, severity, c.id, c.severity)
			}
		}
		if got.Inputs.Hold.Finite() != c.finite {
			t.Errorf("%v: hold %+v", c.set["hold"].Texts, got.Inputs.Hold)
		}
	}
}

// B8: the longest stop counts; a percentile of the stops is a finding.
func TestPauses(t *testing.T) {
	f := files{"gc": histogram("gc_seconds", 1000, 0.01, 990, 0.1, 999, 1.5, 1000), "open": histogram("gc_seconds", 1000, 0.01, 990, 0.1, 999)}
	base := []string{"p999", "1s", "pauses-since-start", "true"}
	got, err := Resolve(said(append(base, "pauses", "gc")...), Outside{Open: f.open})
	if err != nil || got.Inputs.Pause.Value != 1500*ms {
		t.Errorf("%v %+v", err, got.Inputs.Pause)
	}
	// The bound of P99 is the 996th of 1000 samples: P(Bin(1000, 0.99) < 996) is
	// 0.97, below 995 it is 0.93. P99.9 has none, so the longest counts, and that
	// is survived.
	got, err = Resolve(said(append(base, "pauses", "gc", "pause-percentile", "0.99")...), Outside{Open: f.open})
	if err != nil || got.Inputs.Pause.Value != 100*ms || got.Inputs.Pause.Longest || severities(got.Findings)["LP208"] != finding.Warning {
		t.Errorf("%v %+v %v", err, got.Inputs.Pause, got.Findings)
	}
	got, err = Resolve(said(append(base, "pauses", "gc", "pause-percentile", "0.999")...), Outside{Open: f.open})
	seen := severities(got.Findings)
	if _, told := seen["LP208"]; err != nil || got.Inputs.Pause.Value != 1500*ms || !got.Inputs.Pause.Longest || told || seen["LP202"] != finding.Warning {
		t.Errorf("%v %+v %v", err, got.Inputs.Pause, got.Findings)
	}
	got, err = Resolve(said(append(base, "pauses", "open")...), Outside{Open: f.open})
	if err != nil || !got.Inputs.Pause.Unbounded || severities(got.Findings)["LP201"] != finding.Error {
		t.Errorf("%v %+v %v", err, got.Inputs.Pause, got.Findings)
	}
	if _, err = Resolve(said("p999", "1s", "pause-percentile", "0.9"), Outside{}); err == nil {
		t.Error("--pause-percentile without --pauses is silently ignored")
	}
}

func TestStack(t *testing.T) {
	low := said("pause", "1s", "margin", "2s", "p99", "1s", "p999", "2s")
	for _, c := range []struct {
		high Set
		key  string
		kept bool
	}{
		{said("pauses", "gc.log"), "pause", false},
		{said("rtt", "1ms"), "margin", false},
		{said("p999", "3s"), "p99", true},
		{said("hold", "h.prom"), "p999", false},
		{said("rto", "3s"), "pause", true},
	} {
		if _, kept := Stack(low, c.high)[c.key]; kept != c.kept {
			t.Errorf("%v over %s: kept %v", c.high, c.key, kept)
		}
	}
	if got := Stack(low, said("p999", "3s"))["p999"].Text(); got != "3s" {
		t.Errorf("p999 is %s", got)
	}
}

func TestFlagsThatDoNothingAreRefused(t *testing.T) {
	for _, set := range []Set{
		said("p999", "1s", "metric", "x"),
		said("p999", "1s", "rtts-unit", "ms"),
		said("p999", "1s", "pause", "1s", "pauses", "x"),
		said("p999", "1s", "deadline", "1s", "queue-sla", "1s"),
		said("p999", "1s", "hold", "x"),
		said("p999", "1s", "jitter", "1ms"),
	} {
		got, err := Resolve(set, Outside{Open: files{"x": histogram("h_seconds", 10_000, 1, 10_000)}.open})
		if err == nil {
			_, err = got.Inputs.Resolve()
		}
		if err == nil || fault.ClassOf(err) != fault.Usage || fault.HintOf(err) == "" {
			t.Errorf("%v: %v", set, err)
		}
	}
}

// A copy of an input adds nothing: 1 500 samples and the same again are not
// the 2 995 that P99.9 takes.
func TestCopiesAreRefused(t *testing.T) {
	var list strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&list, "%dus\n", 1000+i*7%1499)
	}
	f := files{"a": list.String(), "link to a": list.String(), "b": list.String() + "1ms\n", "few": "1ms\n2ms\n", "other": "1ms\n2ms\n"}
	_, err := Resolve(said("hold", "a", "hold", "link to a"), Outside{Open: f.open})
	if err == nil || fault.ClassOf(err) != fault.Usage || !strings.Contains(err.Error(), "count twice") {
		t.Errorf("%v", err)
	}
	for _, pair := range [][2]string{{"a", "b"}, {"few", "other"}} {
		if _, err := Resolve(said("hold", pair[0], "hold", pair[1]), Outside{Open: f.open}); err != nil {
			t.Errorf("%v: %v", pair, err)
		}
	}
}

// An option is meant for the inputs whose format has it. One that selects in
// none of them is refused, and so is one earlier snapshot of several inputs.
func TestOptionsOfUnlikeInputs(t *testing.T) {
	f := files{
		"a.prom":   histogram("h_seconds", 5000, 0.1, 5000) + histogram("other_seconds", 5000, 60, 5000),
		"b.csv":    "start,hold_ms,other_ms\n" + strings.Repeat("1,900,60000\n", 100),
		"c.ndjson": strings.Repeat("{\"took_ms\":200,\"x\":90000}\n", 100),
	}
	options := []string{"hold", "a.prom", "hold", "b.csv", "hold", "c.ndjson", "metric", "h_seconds", "column", "hold_ms", "field", "took_ms", "since-start", "true"}
	got, err := Resolve(said(options...), Outside{Open: f.open})
	if err != nil {
		t.Fatal(err)
	}
	// 100 of 5 200 took 900 ms, cut off: the P99.9 is among them.
	if h := got.Inputs.Hold; h.Value != 901*ms || h.Samples != 5200 {
		t.Errorf("%+v", h)
	}
	for extra, says := range map[string]string{"operation": "none of the inputs has something that --operation selects", "hold-since": "of which one"} {
		_, err := Resolve(said(append(options, extra, "x")...), Outside{Open: f.open})
		if err == nil || !strings.Contains(err.Error(), says) || fault.ClassOf(err) != fault.Usage || fault.HintOf(err) == "" {
			t.Errorf("--%s: %v", extra, err)
		}
	}
}

// Thin data that are accepted: the fit's upper value counts, never less than
// the longest sample, and it is marked.
func TestExtrapolated(t *testing.T) {
	var list strings.Builder
	for i := range 1000 { // quantiles of an exponential law with a mean of 50 ms
		fmt.Fprintf(&list, "%.6f\n", -50*math.Log(1-(float64(i)+0.5)/1000))
	}
	f := files{"h": list.String()}
	got, err := Resolve(said("hold", "h", "unit", "ms", "allow-thin-data", "true", "percentile", "0.9999"), Outside{Open: f.open})
	if err != nil {
		t.Fatal(err)
	}
	h := got.Inputs.Hold
	if h.Kind != calc.Extrapolated || h.Samples != 1000 {
		t.Errorf("%+v", h)
	}
	// The law's own P99.99 is 50 ms · ln(10000) = 460.5 ms.
	if h.Value < 460500*time.Microsecond {
		t.Errorf("the bound %s is below the law's own P99.99", h.Value)
	}
	if got.Inputs.HoldTail == calc.TailHeavy {
		t.Error("an exponential law is heavy")
	}
}

func TestRates(t *testing.T) {
	for text, want := range map[string]float64{"50/s": 50, "3/m": 0.05, "7200/h": 2, "0.5/s": 0.5} {
		if got, err := ParseRate(text); err != nil || got != want {
			t.Errorf("%s: %v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "50", "/s", "50/", "-1/s", "0/s", "NaN/s", "Inf/s", "1e400/s", "0x1p4/s", "1_0/s", "50/week"} {
		if got, err := ParseRate(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
