package source

import (
	"os"
	"strings"
	"testing"
)

// Each recorded file is known by its content, whatever is asked of it.
func TestSniff(t *testing.T) {
	want := map[string]string{
		"locks.prom": "prometheus", "locks-before.prom": "prometheus", "locks.om": "prometheus", "locks.pb": "prometheus-protobuf",
		"locks-before.pb": "prometheus-protobuf", "gen-lock-hold.prom.txt": "prometheus", "gen-lock-hold.om.txt": "prometheus",
		"gen-lock-hold-native-delimited.pb": "prometheus-protobuf", "gen-federate-untyped.prom.txt": "prometheus",
		"prom-exemplars-created.om.txt": "prometheus", "promtool-check-metrics.prom": "prometheus", "expfmt-testdata-text.prom": "prometheus",
		"promtool-dump-openmetrics.om.txt": "prometheus-dump", "gen-promtool-query-instant.txt": "prometheus-dump",
		"gen-api-instant-classic.json": "prometheus-json", "gen-api-instant-native.json": "prometheus-json", "gen-api-matrix-reset.json": "prometheus-json",
		"otlp-metrics-example.json": "otlp", "gen-k6-summary-export.json": "k6-summary", "k6-summary.json": "k6-summary", "k6-summary-new.json": "k6-summary",
		"k6-points.json": "k6-json", "k6-points.csv": "k6-csv", "vegeta.json": "vegeta", "vegeta-report.json": "vegeta-report", "vegeta-hdrplot.txt": "vegeta-hdrplot",
		"jHiccup-2.0.7S.logV2.hlog": "hdr", "ycsb.logV1.hlog": "hdr", "wrk2-readme-spectrum.txt": "hgrm", "wrk.txt": "wrk", "hey.txt": "hey", "hey.csv": "hey-csv",
		"wrk-failures.txt": "wrk", "hey-failures.txt": "hey", "vegeta-failures.json": "vegeta", "vegeta-report-failures.json": "vegeta-report",
		"cyclictest.txt": "cyclictest", "gctrace.txt": "gctrace", "node-trace-gc.txt": "node-gc",
		"gen-jdk25-g1-gc-safepoint.log": "jvm", "gen-jdk25-genzgc-gc-safepoint.log": "jvm", "jdk17-g1.log": "jvm", "jdk17-parallel.log": "jvm",
		"jdk17-serial.log": "jvm", "jdk17-shenandoah.log": "jvm", "jdk17-zgc.log": "jvm", "jdk25-serial.log": "jvm", "jdk25-shenandoah.log": "jvm",
		"gen-lock-hold-raw-seconds.txt": "durations", "jmeter-HTMLReportTestFile.jtl.csv": "jtl",
		"vmrange.prom": "prometheus", "etcd.prom": "prometheus", "micrometer.prom": "prometheus", "prom-client.prom": "prometheus", "tsdb-dump.txt": "prometheus-dump",
		"jdk11-g1.log": "jvm", "jdk11-parallel.log": "jvm", "hdr-1.2.hlog": "hdr", "hdr-2.0.hlog": "hdr", "hdr-2.2.hlog": "hdr", "hdr-2.2.hgrm": "hgrm",
		"cpu-stat-v1.txt": "cpu-stat", "curl.ndjson": "ndjson", "oha.csv": "csv",
		"oha.json": "oha", "oha-deadline.json": "oha", "fortio.json": "fortio", "fortio-stdclient.json": "fortio", "ghz.json": "ghz", "jmeter-5.6.jtl.xml": "jtl-xml", "jmeter-5.6.jtl.csv": "jtl",
		"otlp-js-metrics.json": "otlp", "otlp-js-delta-metrics.json": "otlp", "otlp-collector-metrics.json": "otlp", "jaeger.json": "jaeger", "jaeger-v3.json": "otlp-spans", "otlp-js-traces.json": "otlp-spans", "otlp-collector-traces.json": "otlp-spans",
		"chrony-tracking.txt": "chrony", "chrony-tracking.csv": "chrony", "chrony-unsynchronised.txt": "chrony", "chrony-sources.txt": "chrony", "chrony-sourcestats.txt": "chrony",
		"ntpq-rv.txt": "ntpq", "ntpq-unsynchronised.txt": "ntpq", "ntpq-peers.txt": "ntpq", "ntpq-association.txt": "ntpq",
		"zookeeper-3.9-mntr.txt": "zookeeper", "zookeeper-3.9-monitor.json": "zookeeper", "zookeeper-3.9-metrics.prom": "zookeeper", "zookeeper-3.9-stat.txt": "zookeeper",
		"zookeeper-3.8-mntr.txt": "zookeeper", "zookeeper-3.8-srvr.txt": "zookeeper",
		"ping-loss.txt": "ping", "fping-loss.txt": "fping", "fping-loss-stdout.txt": "fping", "fping-count-loss.txt": "fping", "mtr-loss.txt": "mtr", "mtr-loss.csv": "mtr",
		"gen-rtt-tools.txt": "fping", "gen-redis-latency.txt": "redis-intrinsic", "redis-histograms.txt": "redis-histogram", // sessions of several tools: the first that is known
	}
	entries, err := os.ReadDir("../../testdata/source")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../testdata/source/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() || e.Name() == "README.md" {
			continue
		}
		if !strings.Contains(string(readme), "`"+e.Name()+"`") {
			t.Errorf("README.md does not say where %s is from", e.Name())
		}
		f, err := os.Open("../../testdata/source/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		in, err := open(e.Name(), f)
		if err != nil {
			t.Errorf("%s: %v", e.Name(), err)
			continue
		}
		chosen, err := choose(in, "")
		if err != nil || chosen.name != want[e.Name()] {
			t.Errorf("%s is read as %q (%v), want %q", e.Name(), chosen.name, err, want[e.Name()])
		}
		f.Close()
	}
}

// docs/formats.md has a row for each format, with what the registry says of
// it, and no other.
func TestFormatsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]string)
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, " | ")
		if name, ok := strings.CutPrefix(cells[0], "| `"); ok && len(cells) == 3 {
			rows[strings.TrimSuffix(name, "`")] = strings.ReplaceAll(cells[1], "`", "")
		}
	}
	for _, f := range formats {
		if rows[f.name] != f.about {
			t.Errorf("docs/formats.md says %q of %s, the registry %q", rows[f.name], f.name, f.about)
		}
		delete(rows, f.name)
	}
	for name := range rows {
		t.Errorf("docs/formats.md has %s, which is no format", name)
	}
}
