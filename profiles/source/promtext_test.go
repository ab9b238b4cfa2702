package source

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// The answers are those of the data's README, from the 10 000 raw values.
// histogram_quantile(0.9999) says 10 s where the truth is 15 s: unbounded.
var lockHold = map[float64]string{0.5: "50ms", 0.99: "250ms", 0.999: "500ms", 0.9995: "500ms", 0.9999: "inf", 1: "inf"}

func TestExpositionOfRealClient(t *testing.T) {
	for name, metric := range map[string]string{
		"gen-lock-hold.prom.txt":        "lock_hold_seconds",
		"gen-lock-hold.om.txt":          "lock_hold_seconds_bucket",
		"gen-federate-untyped.prom.txt": "",
	} {
		o := mustFile(t, name, Query{Metric: metric})
		upper(t, o, lockHold)
		if o.Dist.Count() != 10_000 || o.Series != 1 || o.Unit != "s" || o.Metric != "lock_hold_seconds" {
			t.Errorf("%s: %d samples in %d series of %s in %s", name, o.Dist.Count(), o.Series, o.Metric, o.Unit)
		}
		// sum 569.7326715289212 over 10 000, rounded up.
		if o.Mean == nil || *o.Mean != 56_973_268 {
			t.Errorf("%s: mean %v", name, o.Mean)
		}
		if f, ok := has(o, "LP207"); !ok || f.Severity != finding.Warning || f.Line != o.Line {
			t.Errorf("%s: counters since start are not told: %v", name, o.Findings)
		}
	}
	// The exemplar of the open bucket is 13 s: the longest was not shorter.
	if o := mustFile(t, "gen-lock-hold.om.txt", Query{Metric: "lock_hold_seconds"}); o.Max == nil || o.Max.Lower != 13*time.Second || o.Max.Upper != dist.Inf {
		t.Errorf("longest %+v", o.Max)
	}
	o := mustFile(t, "gen-lock-hold.prom.txt", Query{Metric: "lock_hold_seconds", SinceStart: true})
	if len(o.Findings) != 0 {
		t.Errorf("findings with --since-start: %v", o.Findings)
	}
}

// The summary's P99.9 is a claim, not an observation.
func TestSummaryIsAClaim(t *testing.T) {
	o := mustFile(t, "gen-lock-hold.prom.txt", Query{Metric: "lock_wait_seconds"})
	if o.Dist != nil || len(o.Claims) != 4 {
		t.Fatalf("claims %v, dist %v", o.Claims, o.Dist)
	}
	if c := o.Claims[3]; c.Q != 0.999 || c.Value.Microseconds() != 38528 {
		t.Errorf("P99.9 claim = %v, the page says 0.038529", c)
	}
}

func TestWhichMetric(t *testing.T) {
	_, err := file(t, "gen-lock-hold.prom.txt", Query{})
	refused(t, err, fault.Usage, "lock_hold_seconds", "lock_hold_native_seconds", "--metric")
	_, err = file(t, "gen-lock-hold.prom.txt", Query{Metric: "nope"})
	refused(t, err, fault.Usage, "nope", "lock_hold_seconds", "lock_wait_seconds")
	_, err = file(t, "promtool-check-metrics.prom", Query{Metric: "prometheus_tsdb_compaction_chunk_size_bytes", Unit: "s"})
	refused(t, err, fault.Usage, "promtool-check-metrics.prom:", "bytes")
	_, err = file(t, "gen-lock-hold.prom.txt", Query{Metric: "lock_hold_seconds", Match: must(ParseMatch(`lock="x"`))})
	refused(t, err, fault.Usage, "--match")
	o := mustFile(t, "gen-lock-hold.prom.txt", Query{Metric: "lock_hold_seconds", Match: must(ParseMatch(`lock=~"ord.*",job!="a"`))})
	upper(t, o, lockHold)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Units come from the name's last word (37 families of an old Prometheus).
func TestUnitFromTheName(t *testing.T) {
	for metric, unit := range map[string]string{
		"http_request_duration_microseconds":         "us",
		"prometheus_evaluator_duration_milliseconds": "ms",
		"prometheus_target_interval_length_seconds":  "s",
	} {
		if o := mustFile(t, "expfmt-testdata-text.prom", Query{Metric: metric}); o.Unit != unit {
			t.Errorf("%s is in %s, want %s", metric, o.Unit, unit)
		}
	}
	_, err := file(t, "expfmt-testdata-text.prom", Query{Metric: "http_request_size_bytes"})
	refused(t, err, fault.Usage, "bytes")
}

// A millisecond metric read as seconds would be 1000 times too long; a
// second metric read as milliseconds would plan a lease of 1 ms.
func TestUnits(t *testing.T) {
	page := "# TYPE NAME histogram\nNAME_bucket{le=\"250\"} 9\nNAME_bucket{le=\"+Inf\"} 9\n"
	for name, want := range map[string]string{"hold_ms": "250ms", "hold_microseconds": "250us", "hold_ns": "250ns", "hold_seconds": "250s"} {
		o := mustText(t, strings.ReplaceAll(page, "NAME", name), Query{})
		upper(t, o, map[float64]string{1: want})
	}
	o := mustText(t, strings.ReplaceAll(page, "NAME", "h"), Query{})
	if f, ok := has(o, "LP208"); !ok || f.Severity != finding.Warning {
		t.Errorf("an assumed unit is not told: %v", o.Findings)
	}
	o = mustText(t, strings.ReplaceAll(page, "NAME", "h"), Query{Unit: "us"})
	upper(t, o, map[float64]string{1: "250us"})
	if _, ok := has(o, "LP208"); ok {
		t.Error("a unit that was given counts as assumed")
	}
	o = mustText(t, "# TYPE h histogram\n# UNIT h milliseconds\n"+strings.ReplaceAll(page, "NAME", "h")+"# EOF\n", Query{})
	upper(t, o, map[float64]string{1: "250ms"})
}

// Spellings that mean the same page.
func TestSpellings(t *testing.T) {
	plain := "# HELP h_seconds Hold.\n# TYPE h_seconds histogram\n" +
		"h_seconds_bucket{job=\"a\",le=\"0.5\"} 5\nh_seconds_bucket{job=\"a\",le=\"1\"} 9\nh_seconds_bucket{job=\"a\",le=\"+Inf\"} 9\n" +
		"h_seconds_sum{job=\"a\"} 3.5\nh_seconds_count{job=\"a\"} 9\n"
	pages := map[string]string{
		"plain":            plain,
		"no final newline": strings.TrimSuffix(plain, "\n"),
		"CRLF":             strings.ReplaceAll(plain, "\n", "\r\n"),
		"byte order mark":  "\xef\xbb\xbf" + plain,
		"Inf":              strings.ReplaceAll(plain, "+Inf", "Inf"),
		"le 1.0":           strings.ReplaceAll(plain, `"1"`, `"1.0"`),
		"le 5e-1":          strings.ReplaceAll(plain, `"0.5"`, `"5e-1"`),
		"no TYPE":          strings.SplitAfterN(plain, "\n", 3)[2],
		"TYPE last":        strings.SplitAfterN(plain, "\n", 3)[2] + "# TYPE h_seconds histogram\n",
		"le first":         strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(plain, `{job="a",le="0.5"}`, `{le="0.5",job="a"}`), `{job="a",le="1"}`, `{le="1",job="a"}`), `{job="a",le="+Inf"}`, `{le="+Inf",job="a"}`),
		"timestamps":       strings.ReplaceAll(plain, "} 9\n", "} 9 1700000000000\n"),
		"float counts":     strings.ReplaceAll(plain, "} 9\n", "} 9.0\n"),
		"blanks":           strings.ReplaceAll(strings.ReplaceAll(plain, "} ", "} \t "), "h_seconds_b", "  h_seconds_b"),
		"trailing comma":   strings.ReplaceAll(plain, "\"}", "\",}"),
		"quoted names":     strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(plain, "h_seconds_bucket{", `{"h_seconds_bucket",`), "h_seconds_sum{", `{"h_seconds_sum",`), "h_seconds_count{", `{"h_seconds_count",`),
		"escapes":          strings.ReplaceAll(plain, `job="a"`, `job="a\\\"le=\",\n{}"`),
		"+Inf first":       "h_seconds_bucket{le=\"+Inf\"} 9\nh_seconds_bucket{le=\"0.5\"} 5\nh_seconds_bucket{le=\"1\"} 9\n",
		"among others":     "# TYPE up gauge\nup 1\nx_count 3\n" + plain + "y{a=\"b\"} NaN\n",
		"exemplars":        strings.ReplaceAll(plain, "} 9\n", "} 9 # {trace_id=\"}\"} 0.7 1700000000.5\n") + "# EOF\n",
	}
	for name, page := range pages {
		o, err := text(name, page, Query{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		upper(t, o, map[float64]string{0.5: "500ms", 0.6: "1s", 1: "1s"})
		if o.Dist.Count() != 9 || o.Series != 1 {
			t.Errorf("%s: %d samples, %d series", name, o.Dist.Count(), o.Series)
		}
	}
}

func TestCompressedInputs(t *testing.T) {
	page := []byte("h_seconds_bucket{le=\"1\"} 9\nh_seconds_bucket{le=\"+Inf\"} 9\n")
	var gz, zs bytes.Buffer
	w := gzip.NewWriter(&gz)
	w.Write(page)
	w.Close()
	z := must(zstd.NewWriter(&zs))
	z.Write(page)
	z.Close()
	for name, packed := range map[string][]byte{"gzip": gz.Bytes(), "zstd": zs.Bytes()} {
		o, err := Read(name, bytes.NewReader(packed), Query{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		upper(t, o, map[float64]string{1: "1s"})
		_, err = Read(name, bytes.NewReader(packed[:len(packed)-6]), Query{})
		refused(t, err, fault.Usage, name)
	}
}

// Blocks that are unpacked ahead come in their order, whole, and an error
// after them; and what is not read to its end leaves nothing behind.
func TestUnpackedAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		content := make([]byte, 5*aheadBlock+123)
		for i := range content {
			content[i] = byte(i >> 8 * i)
		}
		a := newAhead(iotest.DataErrReader(iotest.HalfReader(bytes.NewReader(content))))
		got, err := io.ReadAll(a)
		if err != nil || !bytes.Equal(got, content) {
			t.Errorf("%d bytes of %d, %v", len(got), len(content), err)
		}
		broken := newAhead(io.MultiReader(bytes.NewReader(content[:aheadBlock+5]), iotest.ErrReader(io.ErrClosedPipe)))
		got, err = io.ReadAll(broken)
		if err != io.ErrClosedPipe || !bytes.Equal(got, content[:aheadBlock+5]) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
		left := newAhead(bytes.NewReader(content))
		left.Read(make([]byte, 10))
		left.stop() // synctest fails when its goroutine stays
	})
}

// Broken histograms: a finding at the line, never a number.
func TestBrokenHistograms(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		line int
		says string
	}{
		"falls":     {"h_seconds_bucket{le=\"1\"} 9\nh_seconds_bucket{le=\"2\"} 8\nh_seconds_bucket{le=\"+Inf\"} 9\n", 2, "fall from 9 at 1 to 8 at 2"},
		"no +Inf":   {"h_seconds_bucket{le=\"1\"} 9\nh_seconds_bucket{le=\"2\"} 9\n", 1, "+Inf"},
		"NaN":       {"h_seconds_bucket{le=\"1\"} NaN\nh_seconds_bucket{le=\"+Inf\"} 9\n", 1, "NaN"},
		"negative":  {"h_seconds_bucket{le=\"1\"} -1\nh_seconds_bucket{le=\"+Inf\"} 9\n", 1, "-1"},
		"below 0":   {"h_seconds_bucket{le=\"-1\"} 1\nh_seconds_bucket{le=\"+Inf\"} 9\n", 1, "negative"},
		"le twice":  {"h_seconds_bucket{le=\"1\"} 1\nh_seconds_bucket{le=\"1.0\"} 1\nh_seconds_bucket{le=\"+Inf\"} 9\n", 1, "twice"},
		"le words":  {"h_seconds_bucket{le=\"1s\"} 1\nh_seconds_bucket{le=\"+Inf\"} 9\n", 1, "1s"},
		"duplicate": {"h_seconds_bucket{a=\"b\",le=\"1\"} 1\nh_seconds_bucket{a=\"b\",le=\"+Inf\"} 9\nh_seconds_bucket{a=\"c\",le=\"1\"} 1\nh_seconds_bucket{a=\"c\",le=\"+Inf\"} 9\nh_seconds_bucket{le=\"1\",a=\"b\"} 1\n", 5, "line 1"},
		"huge":      {"h_seconds_bucket{le=\"1\"} 1\nh_seconds_bucket{le=\"+Inf\"} 1e300\n", 2, "2^53"},
	} {
		o, err := text(name, c.page, Query{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f, ok := has(o, "LP206")
		if !ok || f.Severity != finding.Error || o.Dist != nil {
			t.Errorf("%s: %+v", name, o)
		}
		if f.Line != c.line || !strings.Contains(f.Message, c.says) || f.File != name {
			t.Errorf("%s: %q in %s line %d, want %q in line %d", name, f.Message, f.File, f.Line, c.says, c.line)
		}
	}
}

// _count above +Inf: samples that no bucket holds (NaN, or a torn page) are
// not known to be short.
func TestCountAboveInf(t *testing.T) {
	o := mustText(t, "h_seconds_bucket{le=\"1\"} 90\nh_seconds_bucket{le=\"+Inf\"} 90\nh_seconds_count 100\n", Query{})
	upper(t, o, map[float64]string{0.9: "1s", 0.91: "inf"})
	if f, ok := has(o, "LP206"); !ok || f.Severity != finding.Warning {
		t.Errorf("findings %v", o.Findings)
	}
}

// Two pods with unlike buckets: 0.9 of the whole is at or below 1s only by
// the edges that each pod has. Summing by le and interpolating would put the
// second pod's 10 samples at or below 1s.
func TestMixedLayouts(t *testing.T) {
	o := mustText(t, `h_seconds_bucket{pod="a",le="1"} 40
h_seconds_bucket{pod="a",le="4"} 50
h_seconds_bucket{pod="a",le="+Inf"} 50
h_seconds_bucket{pod="b",le="1"} 40
h_seconds_bucket{pod="b",le="2"} 50
h_seconds_bucket{pod="b",le="+Inf"} 50
`, Query{})
	upper(t, o, map[float64]string{0.8: "1s", 0.9: "2s", 0.91: "4s"})
	if f, ok := has(o, "LP209"); !ok || f.Severity != finding.Warning || o.Series != 2 {
		t.Errorf("series %d, findings %v", o.Series, o.Findings)
	}
}

// Label order puts le before pod: the lines of both series alternate.
func TestInterleavedSeries(t *testing.T) {
	o := mustText(t, `h_seconds_bucket{le="+Inf",pod="a"} 50
h_seconds_bucket{le="+Inf",pod="b"} 50
h_seconds_bucket{le="1",pod="a"} 40
h_seconds_bucket{le="1",pod="b"} 45
h_seconds_count{pod="a"} 50
h_seconds_count{pod="b"} 50
`, Query{})
	upper(t, o, map[float64]string{0.85: "1s", 0.86: "inf"})
	if o.Series != 2 || o.Dist.Count() != 100 {
		t.Errorf("%d series, %d samples", o.Series, o.Dist.Count())
	}
}

// OpenTelemetry's default bounds are milliseconds; seconds recorded under
// them all land in (0, 5], and P99.9 would be "5 s" whatever the truth.
func TestMillisecondBoundsWithSeconds(t *testing.T) {
	var page strings.Builder
	for _, le := range []string{"0", "5", "10", "25", "50", "75", "100", "250", "500", "750", "1000", "2500", "5000", "7500", "10000", "+Inf"} {
		n := "9000"
		if le == "0" {
			n = "0"
		}
		page.WriteString("h_seconds_bucket{le=\"" + le + "\"} " + n + "\n")
	}
	o := mustText(t, page.String(), Query{SinceStart: true})
	if f, ok := has(o, "LP204"); !ok || f.Severity != finding.Error || !strings.Contains(f.Message, "5ms") {
		t.Errorf("findings %v", o.Findings)
	}
}

// Seconds that were milliseconds: 100 000 s. A unit that was typed is a
// warning only.
func TestHoldsOfDays(t *testing.T) {
	page := "h_seconds_bucket{le=\"100000\"} 0\nh_seconds_bucket{le=\"200000\"} 9\nh_seconds_bucket{le=\"+Inf\"} 9\n"
	for unit, severity := range map[string]finding.Severity{"": finding.Error, "s": finding.Warning} {
		o := mustText(t, page, Query{SinceStart: true, Unit: unit})
		if f, ok := has(o, "LP204"); !ok || f.Severity != severity || !strings.Contains(f.Message, "100s?") {
			t.Errorf("--unit %q: findings %v", unit, o.Findings)
		}
	}
}

// A mean outside the buckets proves that sum and bounds are in two units.
func TestMeanOutsideTheBuckets(t *testing.T) {
	o := mustText(t, "h_seconds_bucket{le=\"0.1\"} 90\nh_seconds_bucket{le=\"+Inf\"} 90\nh_seconds_sum 4500\nh_seconds_count 90\n", Query{SinceStart: true})
	if f, ok := has(o, "LP204"); !ok || !strings.Contains(f.Message, "50s") {
		t.Errorf("findings %v", o.Findings)
	}
}

func TestNegativeBucketsOfARealPage(t *testing.T) {
	o := mustFile(t, "prom-exemplars-created.om.txt", Query{Metric: "rpc_durations_histogram_seconds"})
	if f, ok := has(o, "LP206"); !ok || o.Dist != nil || f.Line == 0 {
		t.Errorf("negative durations pass: %+v", o)
	}
}

// Two scrapes of one series: the growth between them. The sum of both would
// be 20 thousand million samples.
func TestDumpOfManyScrapes(t *testing.T) {
	o := mustFile(t, "promtool-dump-openmetrics.om.txt", Query{Unit: "s"})
	if o.Dist.Count() != 904_701 || o.Window == nil || *o.Window != 5*time.Second || o.Dist.Min().Lower != 10*time.Millisecond {
		t.Errorf("%d samples in %v from %v", o.Dist.Count(), o.Window, o.Dist.Min())
	}
	upper(t, o, map[float64]string{0.001: "inf"})
	_, err := text("x", "h_seconds_bucket{le=\"1\"} 1 1000\nx 1 1\nh_seconds_bucket{le=\"1\"} 2 2000\nh_seconds_bucket{le=\"+Inf\"} 2 2000\n", Query{Format: "prometheus"})
	refused(t, err, fault.Usage, "x:3", "scrape")
}

func TestPromtoolQuery(t *testing.T) {
	o := mustFile(t, "gen-promtool-query-instant.txt", Query{})
	upper(t, o, lockHold)
	if o.Dist.Count() != 10_000 || o.Format != "prometheus-dump" {
		t.Errorf("%d samples by %s", o.Dist.Count(), o.Format)
	}
	o = mustText(t, "h_seconds_bucket{a=\"b\", le=\"1\"} =>\n5 @[10]\n9 @[20]\nh_seconds_bucket{a=\"b\", le=\"+Inf\"} =>\n5 @[10]\n10 @[20]\n", Query{})
	upper(t, o, map[float64]string{0.8: "1s", 0.81: "inf"})
	o = mustText(t, "{__name__=\"h_seconds_bucket\", le=\"1\"} 5 1700000000000\n{__name__=\"h_seconds_bucket\", le=\"1\"} 9 1700000060000\n"+
		"{__name__=\"h_seconds_bucket\", le=\"+Inf\"} 5 1700000000000\n{__name__=\"h_seconds_bucket\", le=\"+Inf\"} 10 1700000060000\n", Query{})
	upper(t, o, map[float64]string{0.8: "1s", 0.81: "inf"})
	if *o.Window != time.Minute {
		t.Errorf("window %v", o.Window)
	}
	// A summary, and VictoriaMetrics' ranges.
	claims(t, mustText(t, "s_seconds{quantile=\"0.99\"} =>\n0.5 @[10]\n0.25 @[20]\n", Query{}), map[float64]string{0.99: "500ms"})
	o = mustText(t, "h_seconds_bucket{vmrange=\"8.799e-02...1.000e-01\"} => 10 @[10]\nh_seconds_count{} => 10 @[10]\n", Query{})
	if o.Dist.Count() != 10 || o.Dist.Max().Upper != 100_050_001 {
		t.Errorf("%d samples up to %v", o.Dist.Count(), o.Dist.Max())
	}
	for _, page := range []string{
		"h_seconds_bucket{vmrange=\"8.799e-02...1.000e-01\"} =>\n5 @[10]\n10 @[20]\n",
		`[{"metric":{"__name__":"h_seconds_bucket","vmrange":"8.799e-02...1.000e-01"},"values":[[10,"5"],[20,"10"]]}]`,
	} {
		_, err := text("x", page, Query{})
		refused(t, err, fault.Usage, "x:1", "vmrange", "increase")
	}
	// promtool 2.42 prints a native histogram as 0.
	_, err := text("x", "h_seconds{} => 0 @[1]\n", Query{})
	refused(t, err, fault.NoData)
}

// VictoriaMetrics: per bucket, not cumulative. Read as cumulative counts, P50
// would be the first range; and the printed bounds are rounded.
func TestVMRange(t *testing.T) {
	o := mustText(t, `h_seconds_bucket{p="a",vmrange="8.799e-02...1.000e-01"} 10
h_seconds_bucket{p="a",vmrange="1.000e+00...1.136e+00"} 30
h_seconds_bucket{p="a",vmrange="0...1.000e-09"} 1
h_seconds_sum{p="a"} 33
h_seconds_count{p="a"} 41
`, Query{})
	if o.Dist.Count() != 41 || o.Dist.Quantile(0.02).Upper > 2 {
		t.Errorf("%d samples, P2 %v", o.Dist.Count(), o.Dist.Quantile(0.02))
	}
	if iv := o.Dist.Quantile(0.25); iv.Upper < 100_050*time.Microsecond || iv.Upper > 100_060*time.Microsecond || iv.Lower > 87_950*time.Microsecond {
		t.Errorf("P25 %v", iv)
	}
	if iv := o.Dist.Quantile(0.5); iv.Upper < 1136568*time.Microsecond || iv.Upper > 1137*time.Millisecond {
		t.Errorf("P50 %v", iv)
	}
	// No duration is as long as 1e18 s: nothing is known of such a sample.
	o = mustText(t, "h_seconds_bucket{vmrange=\"8.799e-02...1.000e-01\"} 10000\nh_seconds_bucket{vmrange=\"1.000e+18...+Inf\"} 20\n", Query{})
	if f, ok := has(o, "LP206"); !ok || f.Severity != finding.Warning || !strings.HasPrefix(f.Message, "20 samples") || o.Dist.Max().Lower != 87_946_004 || o.Dist.Max().Upper != dist.Inf {
		t.Errorf("%v, %v", o.Dist.Max(), o.Findings)
	}
	if _, ok := has(o, "LP204"); ok {
		t.Errorf("%v", o.Findings)
	}
	upper(t, o, map[float64]string{0.99: "100050001ns", 0.999: "inf"})
	o = mustText(t, "h_seconds_bucket{vmrange=\"1.000e+18...+Inf\"} 3\nh_seconds_bucket{vmrange=\"1.000e+18...+Inf\"} 3\n", Query{})
	if _, ok := has(o, "LP206"); !ok || o.Dist != nil {
		t.Errorf("a range twice passes: %+v", o)
	}
}

func TestOpenMetricsCutOff(t *testing.T) {
	_, err := text("x", "# TYPE h histogram\n# UNIT h seconds\nh_bucket{le=\"1\"} 9\n", Query{})
	refused(t, err, fault.Usage, "x:3", "# EOF")
}

// Pages one behind the other: the # EOF of the first says nothing of the
// second, which is cut off before its count and its own # EOF.
func TestEOFInTheMiddle(t *testing.T) {
	page := func(pod string) string {
		return "# TYPE h_seconds histogram\nh_seconds_bucket{pod=\"" + pod + "\",le=\"1\"} 4000\nh_seconds_bucket{pod=\"" + pod + "\",le=\"+Inf\"} 4000\n"
	}
	const eof = "# EOF\n"
	for _, whole := range []string{page("a") + eof, page("a") + eof + "\n\r\n \n", page("a") + eof + page("b") + eof, page("a") + eof + "\n" + eof} {
		if o := mustText(t, whole, Query{SinceStart: true}); o.Dist.Count() != uint64(4000*strings.Count(whole, "+Inf")) {
			t.Errorf("%s%d samples", whole, o.Dist.Count())
		}
	}
	for _, cut := range []string{page("a") + eof + page("b"), page("a") + eof + "# TYPE g gauge\n", page("a") + eof + "\ng 5", "\n" + eof + page("a") + "\n"} {
		for _, metric := range []string{"", "h_seconds"} {
			_, err := text("x", cut, Query{SinceStart: true, Metric: metric})
			refused(t, err, fault.Usage, "# EOF")
		}
	}
}

// Names that Prometheus 3 writes in quotes, on the first line of a page.
func TestPageThatBeginsWithAQuotedName(t *testing.T) {
	o := mustText(t, "{\"h.seconds_bucket\",le=\"1\"} 10\n{\"h.seconds_bucket\",le=\"+Inf\"} 10\n", Query{SinceStart: true, Unit: "s"})
	if o.Format != "prometheus" || o.Dist.Count() != 10 || o.Dist.Max().Upper != time.Second {
		t.Errorf("%s, %d samples, longest %v", o.Format, o.Dist.Count(), o.Dist.Max())
	}
	for _, json := range []string{`{"hold_ms":5}`, `{"a":{"b":1},"hold_ms":5}`, `{"a":"b} 5","hold_ms":5}`, `{"a":"b\"} 5","hold_ms":5}`} {
		if o := mustText(t, json+"\n"+json+"\n", Query{Field: "hold_ms"}); o.Format != "ndjson" || o.Dist.Count() != 2 {
			t.Errorf("%s is taken for %s", json, o.Format)
		}
	}
}

// The order of the buckets on a page is no layout.
func TestOrderOfBucketsIsNoLayout(t *testing.T) {
	a := "h_seconds_bucket{i=\"a\",le=\"1\"} 4\nh_seconds_bucket{i=\"a\",le=\"2\"} 5\nh_seconds_bucket{i=\"a\",le=\"+Inf\"} 5\n"
	b := "h_seconds_bucket{i=\"b\",le=\"2\"} 5\nh_seconds_bucket{i=\"b\",le=\"1\"} 4\nh_seconds_bucket{i=\"b\",le=\"+Inf\"} 5\n"
	for page, layouts := range map[string]bool{a + b: false, a + strings.ReplaceAll(b, "2", "3"): true} {
		o := mustText(t, page, Query{SinceStart: true})
		if _, mixed := has(o, "LP209"); mixed != layouts || o.Dist.Count() != 10 {
			t.Errorf("%s%d samples, %v", page, o.Dist.Count(), o.Findings)
		}
	}
}
