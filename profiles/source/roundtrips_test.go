package source

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// section is what one command of a recorded session printed.
func section(t *testing.T, file, command string) string {
	t.Helper()
	content, err := os.ReadFile("../../testdata/source/" + file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(content), "$ "+command+"\n")
	if !ok {
		t.Fatalf("%s has no %q", file, command)
	}
	rest, _, _ = strings.Cut(rest, "\n$ ")
	return rest + "\n"
}

func rtt(t *testing.T, content string, q Query, want string, format string) *Observation {
	t.Helper()
	o := mustText(t, content, q)
	if o.Format != format {
		t.Errorf("read as %s, want %s", o.Format, format)
	}
	if o.Dist != nil {
		if got := o.Dist.Max().Upper; got != duration(t, want) {
			t.Errorf("%s: longest %v, want %s", format, got, want)
		}
	}
	return o
}

func TestPing(t *testing.T) {
	o := rtt(t, section(t, "gen-rtt-tools.txt", "ping -c 10 -i 0.2 127.0.0.1"), Query{}, "180us", "ping")
	if o.Dist.Count() != 10 || o.Measures != RTT || o.Lost != 0 {
		t.Errorf("%d replies of %s, %d lost", o.Dist.Count(), o.Measures, o.Lost)
	}
	// A reply that never came is no fast one.
	o = rtt(t, "64 bytes from 10.0.0.1: icmp_seq=1 ttl=64 time=0.180 ms\n\n3 packets transmitted, 1 received, 66% packet loss, time 2ms\n", Query{}, "10s", "ping")
	if o.Lost != 2 || o.Dist.Count() != 3 {
		t.Errorf("%d lost, %d in all", o.Lost, o.Dist.Count())
	}
	if _, ok := has(o, "LP208"); !ok {
		t.Errorf("loss is not told: %v", o.Findings)
	}
	// Windows prints whole milliseconds, and "<1ms" for what is below one.
	rtt(t, "Antwort von 10.0.0.1: Bytes=32 Zeit<1ms TTL=64\nAntwort von 10.0.0.1: Bytes=32 Zeit=3ms TTL=64\n", Query{}, "4ms", "ping")
	// macOS and BusyBox.
	rtt(t, "64 bytes from 10.0.0.1: seq=0 ttl=64 time=1.234 ms\n1 packets transmitted, 1 packets received, 0% packet loss\nround-trip min/avg/max = 1.234/1.234/1.234 ms\n", Query{}, "1234us", "ping")
	// ping -q lists no replies: the longest is all that is known of the tail.
	o = rtt(t, "10 packets transmitted, 10 received, 0% packet loss, time 1833ms\nrtt min/avg/max/mdev = 0.038/0.055/0.180/0.041 ms\n", Query{}, "180us", "ping")
	if o.Dist.Count() != 10 || o.Dist.Quantile(0.5).Upper != 180*time.Microsecond {
		t.Errorf("%d replies, P50 %v", o.Dist.Count(), o.Dist.Quantile(0.5))
	}
}

func TestFping(t *testing.T) {
	o := rtt(t, section(t, "gen-rtt-tools.txt", "fping -C 5 -q 127.0.0.1"), Query{}, "50us", "fping")
	if o.Dist.Count() != 5 {
		t.Errorf("%d replies", o.Dist.Count())
	}
	rtt(t, section(t, "gen-rtt-tools.txt", "fping -c 5 -q 127.0.0.1"), Query{}, "60us", "fping")
	two := "10.0.0.1 : 0.012 - 0.047\n10.0.0.2 : - - -\n"
	_, err := text("x", two, Query{})
	refused(t, err, fault.Usage, "several hosts", "10.0.0.1, 10.0.0.2")
	rtt(t, strings.ReplaceAll(two, " - 0", " 0"), Query{Metric: "10.0.0.1"}, "48us", "fping") // the one that answers nothing is not mixed in
	o = rtt(t, two, Query{Match: must(ParseMatch(`host=~".*"`))}, "2s", "fping")
	if o.Lost != 4 || o.Dist.Count() != 6 {
		t.Errorf("%d lost of %d", o.Lost, o.Dist.Count())
	}
	rtt(t, "10.0.0.1 : xmt/rcv/%loss = 5/0/100%\n", Query{}, "2s", "fping")
}

func TestMtr(t *testing.T) {
	o := rtt(t, section(t, "gen-rtt-tools.txt", "mtr -n -C -c 3 127.0.0.1"), Query{}, "80us", "mtr")
	if o.Dist.Count() != 3 {
		t.Errorf("%d probes", o.Dist.Count())
	}
	// Only the last hop is the target, and 0.1 ms is the resolution.
	o = rtt(t, `Start: 2026-11-30T12:00:00+0000
HOST: a                           Loss%   Snt   Last   Avg  Best  Wrst StDev
  1.|-- 10.0.0.1                 50.0%    10    0.1   0.1   0.1  90.0   0.0
  2.|-- 10.0.0.2                  0.0%    10    1.1   1.2   1.0   2.5   0.1
`, Query{}, "2600us", "mtr")
	if o.Lost != 0 || o.Dist.Count() != 10 {
		t.Errorf("%d lost of %d", o.Lost, o.Dist.Count())
	}
}

// "0 1 0.14 99" is cut to whole milliseconds: the true maximum is below 2 ms,
// not below 1 ms.
func TestRedisLatency(t *testing.T) {
	for _, page := range []string{
		section(t, "gen-redis-latency.txt", "redis-cli --latency (stdout not a tty)"),
		"0,1,0.14,99\n",
		"min: 0, max: 1, avg: 0.14 (99 samples)\n",
		"min: 0, max: 0, avg: 0.00 (1 samples)\rmin: 0, max: 1, avg: 0.14 (99 samples)",
	} {
		o := rtt(t, page, Query{}, "2ms", "redis-latency")
		if o.Dist.Count() != 99 {
			t.Errorf("%q: %d samples", page, o.Dist.Count())
		}
	}
	o := rtt(t, "min: 0, max: 1, avg: 0.14 (1400 samples) -- 15.01 seconds range\nmin: 0, max: 7, avg: 0.20 (1400 samples) -- 15.01 seconds range\n", Query{}, "8ms", "redis-latency")
	if o.Dist.Count() != 2800 {
		t.Errorf("%d samples", o.Dist.Count())
	}
}

// Counts are cumulative and bounds are cut to microseconds: the README says
// 33 us and 66 us, the server's own edges are 33.554 us and 67.108 us.
func TestRedisHistogram(t *testing.T) {
	for _, command := range []string{"redis-cli latency histogram set", "redis-cli -3 --json latency histogram set"} {
		o := rtt(t, section(t, "gen-redis-latency.txt", command), Query{}, "67us", "redis-histogram")
		upper(t, o, map[float64]string{0.5: "9us", 0.99: "34us"})
		if o.Dist.Count() != 300 || o.Metric != "set" {
			t.Errorf("%d calls of %q", o.Dist.Count(), o.Metric)
		}
	}
	_, err := text("x", `{"get":{"calls":1,"histogram_usec":{"1":1}},"set":{"calls":1,"histogram_usec":{"1":1}}}`, Query{})
	refused(t, err, fault.Usage, "--metric", "get, set")
	o := mustText(t, `{"set":{"calls":10,"histogram_usec":{"1":9}}}`, Query{})
	if o.Dist.Max().Upper != dist.Inf {
		t.Error("a call in no bucket is not known to be short")
	}
}

// What redis-cli 7.0 shows on a terminal for the same answer, in RESP2 and 3.
func TestRedisHistogramOnATerminal(t *testing.T) {
	for _, page := range []string{
		"127.0.0.1:6379> latency histogram set\n1) \"set\"\n2) 1) \"calls\"\n   2) (integer) 3\n   3) \"histogram_usec\"\n   4) 1) (integer) 8\n      2) (integer) 2\n      3) (integer) 16\n      4) (integer) 3\n127.0.0.1:6379> \n",
		"1# \"set\" => \n   1# \"calls\" => (integer) 3\n   2# \"histogram_usec\" => \n      1# (integer) 8 => (integer) 2\n      2# (integer) 16 => (integer) 3\n",
	} {
		o := rtt(t, page, Query{}, "17us", "redis-histogram")
		if o.Dist.Count() != 3 || o.Metric != "set" {
			t.Errorf("%d calls of %q", o.Dist.Count(), o.Metric)
		}
		upper(t, o, map[float64]string{0.6: "9us"})
	}
}

// One server's counts go on: the earlier answer alone would be 17us. The
// session was a real one: 3 calls, 2 000 007, a reset, 1 more.
func TestRedisAnswersOfOneCommand(t *testing.T) {
	o := mustFile(t, "redis-histograms.txt", Query{Metric: "set"})
	if f, ok := has(o, "LP207"); !ok || o.Dist.Count() != 2_000_008 || o.Dist.Max().Upper != 8455*time.Microsecond {
		t.Errorf("%d calls up to %v: %v", o.Dist.Count(), o.Dist.Max(), f)
	}
	// Several answers as JSON, of two servers.
	o = mustText(t, `{"set":{"calls":3,"histogram_usec":{"8":2,"16":3}}} {"set":{"calls":9,"histogram_usec":{"8":9}}}`, Query{})
	if o.Dist.Count() != 12 || o.Dist.Max().Upper != 17*time.Microsecond {
		t.Errorf("%d calls up to %v", o.Dist.Count(), o.Dist.Max())
	}
	o = mustFile(t, "gen-redis-latency.txt", Query{Format: "redis-histogram", Metric: "set"})
	if o.Dist.Count() != 300 || o.Dist.Max().Upper != 67*time.Microsecond {
		t.Errorf("%d calls up to %v", o.Dist.Count(), o.Dist.Max())
	}
}

// Each reader takes its own tool's lines from the recorded sessions, with the
// answers that the README of the data gives, and tells of the others.
func TestSessionsOfSeveralTools(t *testing.T) {
	for _, c := range []struct {
		file, format, metric string
		n                    uint64
		longest, others      string
	}{
		{"gen-rtt-tools.txt", "", "", 10, "60us", "lines 2 to 16 are ping; lines 25 to 26 are mtr"},
		{"gen-rtt-tools.txt", "ping", "", 10, "180us", "line 19 is fping; line 22 is fping; lines 25 to 26 are mtr"},
		{"gen-rtt-tools.txt", "mtr", "", 3, "80us", "lines 2 to 16 are ping; line 19 is fping; line 22 is fping"},
		{"gen-redis-latency.txt", "", "", 1, "88us", "line 2 is redis-latency; lines 14 to 27 are redis-histogram; line 30 is redis-histogram; lines 33 to 36 are redis-info"},
		{"gen-redis-latency.txt", "redis-latency", "", 99, "2ms", "lines 5 to 11 are redis-intrinsic"},
		{"gen-redis-latency.txt", "redis-histogram", "set", 300, "67us", "line 2 is redis-latency; lines 5 to 11 are redis-intrinsic; lines 33 to 36 are redis-info"},
	} {
		o := mustFile(t, c.file, Query{Format: c.format, Metric: c.metric})
		if o.Dist.Count() != c.n || o.Dist.Max().Upper != duration(t, c.longest) {
			t.Errorf("%s as %s: %d up to %v", c.file, o.Format, o.Dist.Count(), o.Dist.Max())
		}
		told := slices.IndexFunc(o.Findings, func(f finding.Finding) bool {
			return f.ID == "LP208" && strings.Contains(f.Message, "several tools") && strings.Contains(f.Message, c.others)
		})
		if told < 0 || (o.Findings[told].Severity == finding.Warning) != (c.format == "") {
			t.Errorf("%s as %s: %v", c.file, o.Format, o.Findings)
		}
	}
	// A tool's own lines are no other tool's.
	for _, name := range []string{"hey.txt", "hey-failures.txt", "wrk.txt", "wrk-failures.txt", "gctrace.txt", "node-trace-gc.txt", "redis-histograms.txt"} {
		q := Query{}
		if strings.HasPrefix(name, "redis") {
			q.Metric = "set"
		}
		for _, f := range mustFile(t, name, q).Findings {
			if strings.Contains(f.Message, "several tools") {
				t.Errorf("%s: %v", name, f)
			}
		}
	}
	chrony := "Reference ID    : A9FEA97B (169.254.169.123)\nSystem time     : 0.000010000 seconds fast of NTP time\nRoot delay      : 0.000400000 seconds\nRoot dispersion : 0.000100000 seconds\nLeap status     : Normal\n"
	ntpq := "associd=0 status=0615 leap_none, sync_ntp,\nversion=\"ntpd\", leap=00, stratum=3,\nrootdelay=0.400, rootdisp=0.100, offset=-0.010,\n"
	hey := string(must(os.ReadFile("../../testdata/source/hey.txt")))
	wrk := string(must(os.ReadFile("../../testdata/source/wrk.txt")))
	for page, other := range map[string]string{chrony + ntpq: "ntpq", ntpq + chrony: "ntpq", hey + wrk: "wrk", chrony + hey: "chrony", chrony: "", ntpq: ""} {
		f, told := has(mustText(t, page, Query{}), "LP208")
		if told != (other != "") || !strings.Contains(f.Message, other) {
			t.Errorf("%s: %v", other, f)
		}
	}
}

// Rows as mtr 0.95 wrote them with -z and -y 2, and the column in its CSV.
func TestMtrWithNetworks(t *testing.T) {
	for _, page := range []string{
		"HOST: vm                          Loss%   Snt   Last   Avg  Best  Wrst StDev\n  1. AS???    10.0.0.1             0.0%     3    0.0   0.0   0.0  90.0   0.0\n  2. AS64500  127.0.0.1           25.0%     4    0.0   0.0   0.1   0.7   0.0\n",
		"HOST: vm            Loss%   Snt   Last   Avg  Best  Wrst StDev\n  1. ??? 127.0.0.1  25.0%     4    0.1   0.1   0.1   0.7   0.0\n",
		"Mtr_Version,Start_Time,Status,Host,Hop,Ip,Asn,Loss%,Snt, ,Last,Avg,Best,Wrst,StDev,\nMTR.0.95,1796053779,OK,127.0.0.1,1,127.0.0.1,AS???,25.00,4,0,0.06,0.06,0.10,0.79,0.00\n",
	} {
		o := rtt(t, page, Query{}, "10s", "mtr")
		if o.Lost != 1 || o.Dist.Count() != 4 || o.Dist.Quantile(0.75).Upper != 800*time.Microsecond {
			t.Errorf("%d lost of %d, %v", o.Lost, o.Dist.Count(), o.Dist.Quantile(0.75))
		}
	}
}

func TestRedisClaims(t *testing.T) {
	o := rtt(t, section(t, "gen-redis-latency.txt", "redis-cli info latencystats"), Query{Metric: "set"}, "", "redis-info")
	if len(o.Claims) != 3 || o.Claims[2] != (Claim{0.999, 45056 * time.Nanosecond}) {
		t.Errorf("claims %v", o.Claims)
	}
}

func TestRedisIntrinsicLatency(t *testing.T) {
	o := rtt(t, section(t, "gen-redis-latency.txt", "redis-cli --intrinsic-latency 3"), Query{Measures: Pause}, "88us", "redis-intrinsic")
	if o.Measures != Pause {
		t.Errorf("%s", o.Measures)
	}
}

func TestZooKeeper(t *testing.T) {
	o := mustText(t, "zk_version\t3.8.4\nzk_avg_latency\t0.7561\nzk_max_latency\t12\nzk_min_latency\t0\n", Query{})
	if len(o.Claims) != 1 || o.Claims[0] != (Claim{1, 13 * time.Millisecond}) || o.Measures != RTT {
		t.Errorf("%+v", o)
	}
}

// Seconds in one tool, milliseconds in the other.
func TestClocks(t *testing.T) {
	o := mustText(t, `Reference ID    : A9FEA97B (169.254.169.123)
System time     : 0.000010000 seconds fast of NTP time
Frequency       : 12.345 ppm slow
Root delay      : 0.000400000 seconds
Root dispersion : 0.000100000 seconds
Leap status     : Normal
`, Query{})
	if got := o.Dist.Max().Upper; got != 310_003 || o.Measures != Clock {
		t.Errorf("%v of %s, want 310us", got, o.Measures)
	}
	o = mustText(t, "associd=0 status=0615 leap_none, sync_ntp,\nversion=\"ntpd\", leap=00, stratum=3,\nrootdelay=0.400, rootdisp=0.100, offset=-0.010,\n", Query{})
	if got := o.Dist.Max().Upper; got < 310_000 || got > 313_000 {
		t.Errorf("%v, want 310us", got)
	}
	_, err := text("x", "System time     : 0.0 seconds fast of NTP time\nRoot dispersion : 0.1 seconds\nLeap status     : Not synchronised\n", Query{})
	refused(t, err, fault.NoData, "x:3")
}

func FuzzPing(f *testing.F) { fuzz(f, "ping", Query{}, "gen-rtt-tools.txt", "ping-loss.txt") }
func FuzzFping(f *testing.F) {
	fuzz(f, "fping", Query{}, "gen-rtt-tools.txt", "fping-loss.txt", "fping-loss-stdout.txt", "fping-count-loss.txt")
}
func FuzzMtr(f *testing.F) {
	fuzz(f, "mtr", Query{}, "gen-rtt-tools.txt", "mtr-loss.txt", "mtr-loss.csv")
}
func FuzzRedisLatency(f *testing.F) {
	fuzz(f, "redis-latency", Query{}, "gen-redis-latency.txt", "min: 0, max: 1, avg: 0.14 (99 samples)\r")
}
func FuzzRedisHistogram(f *testing.F) {
	fuzz(f, "redis-histogram", Query{}, "gen-redis-latency.txt", `{"set":{"calls":10,"histogram_usec":{"1":9}}}`)
}
func FuzzRedisInfo(f *testing.F) {
	fuzz(f, "redis-info", Query{Metric: "set"}, "gen-redis-latency.txt")
}
func FuzzRedisIntrinsic(f *testing.F) { fuzz(f, "redis-intrinsic", Query{}, "gen-redis-latency.txt") }
