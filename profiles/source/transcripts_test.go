package source

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// Several runs of a tool in one file all count: one of them may be the bad one.
func TestTranscriptsAddUp(t *testing.T) {
	quiet := "--- x ping statistics ---\n20 packets transmitted, 20 received, 0% packet loss, time 9ms\nrtt min/avg/max/mdev = 0.180/0.180/0.180/0.000 ms\n"
	reply := "64 bytes from 10.0.0.1: icmp_seq=1 ttl=64 time=0.180 ms\n"
	mtr := "HOST: a                           Loss%   Snt   Last   Avg  Best  Wrst StDev\n  1.|-- 10.0.0.1                  0.0%    10    0.2   0.3   0.1   0.4   2.8\n"
	csv := "Mtr_Version,Start_Time,Status,Host,Hop,Ip,Loss%,Snt, ,Last,Avg,Best,Wrst,StDev,\nMTR.0.95,1,OK,b,1,10.0.0.1,0.00,10,0,0.20,0.30,0.10,0.40,0.10\n"
	chrony := "System time     : 0.000001 seconds slow of NTP time\nRoot delay      : 0.001 seconds\nRoot dispersion : 0.001 seconds\nLeap status     : Normal\n"
	ntpq := "rootdelay=0.400, rootdisp=0.100, offset=-0.010,\n"
	for name, c := range map[string]struct {
		good, bad, format string
		samples           uint64
		longest           time.Duration
	}{
		"ping -q":   {quiet, strings.Replace(quiet, "0.180/0.000", "999.180/0.000", 1), "ping", 40, 999_180 * time.Microsecond},
		"ping loss": {reply + quiet, reply + strings.Replace(quiet, "20 received", "11 received", 1), "ping", 40, pingTimeout},
		"mtr":       {mtr, strings.Replace(mtr, "0.4   2.8", "900.4   2.8", 1), "mtr", 20, 900_500 * time.Microsecond},
		"mtr loss":  {mtr, strings.Replace(mtr, " 0.0%", "50.0%", 1), "mtr", 20, mtrTimeout},
		"mtr csv":   {csv, strings.Replace(csv, "0.40,0.10", "900.40,0.10", 1), "mtr", 20, 900_410 * time.Microsecond},
		"chrony":    {chrony, strings.Replace(chrony, "0.000001", "5.000001", 1), "chrony", 2, 5_003_002 * time.Microsecond},
		"ntpq":      {ntpq, strings.Replace(ntpq, "-0.010", "-5000.010", 1), "ntpq", 2, 5_000_313 * time.Microsecond},
	} {
		for _, page := range []string{c.good + c.bad, c.bad + c.good} {
			o := mustText(t, page, Query{})
			if top := o.Dist.Max().Upper; o.Format != c.format || o.Dist.Count() != c.samples || top < c.longest-time.Microsecond || top > c.longest+time.Microsecond {
				t.Errorf("%s by %s: %d samples up to %v, want %d up to %v", name, o.Format, o.Dist.Count(), top, c.samples, c.longest)
			}
		}
	}
	for _, page := range []string{"zk_max_latency\t5\nzk_max_latency\t900\n", "zk_max_latency\t900\nzk_max_latency\t5\n"} {
		if o := mustText(t, page, Query{}); o.Claims[0] != (Claim{1, 901 * time.Millisecond}) {
			t.Errorf("claims %v", o.Claims)
		}
	}
	_, err := text("x", chrony+"System time     : 5.0 seconds slow of NTP time\nRoot dispersion : 0.1 seconds\n", Query{})
	refused(t, err, fault.NoData, "x:5")
}

// Loss is told in each system's own words, and where the words are missing by
// the numbers of the requests.
func TestPingLoss(t *testing.T) {
	reply := func(n string) string { return "64 bytes from 10.0.0.1: icmp_seq=" + n + " ttl=64 time=0.180 ms\n" }
	windows := "Reply from 8.8.8.8: bytes=32 time=12ms TTL=117\n"
	for name, c := range map[string]struct {
		page  string
		lost  uint64
		known bool
	}{
		"english":   {reply("1") + "--- x ping statistics ---\n2 packets transmitted, 1 received, +1 errors, 50% packet loss, time 9ms\n", 1, true},
		"german":    {strings.ReplaceAll(reply("1"), "time=0.180", "Zeit=0,180") + "--- x Ping-Statistik ---\n20 Pakete übertragen, 1 empfangen, 95% Paketverlust, Zeit 9ms\nrtt min/avg/max/mdev = 0,180/0,180/0,180/0,000 ms\n", 19, true},
		"windows":   {windows + "Request timed out.\n" + windows + "\nPing statistics for 8.8.8.8:\n    Packets: Sent = 3, Received = 2, Lost = 1 (33% loss),\n", 1, true},
		"japanese":  {windows + "    パケット数: 送信 = 4、受信 = 1、損失 = 3 (75% の損失)、\n", 3, true},
		"unreached": {windows + "Reply from 10.0.0.1: Destination host unreachable.\n    Packets: Sent = 2, Received = 2, Lost = 0 (0% loss),\n", 1, true},
		"cut off":   {reply("1") + reply("2") + reply("90"), 87, false},
		"late":      {reply("1") + reply("3") + reply("2") + reply("4"), 0, false},
		"wrapped":   {reply("65534") + reply("65535") + reply("0") + reply("2"), 1, false},
		"macos":     {strings.Replace(reply("0"), "icmp_", "", 1) + "Request timeout for icmp_seq 1\nRequest timeout for icmp_seq 2\n", 2, false},
		"timed out": {windows + "Request timed out.\n", 1, false},
		"quiet":     {"rtt min/avg/max/mdev = 0.038/0.055/0.180/0.041 ms\n", 0, false},
	} {
		o := mustText(t, c.page, Query{})
		if o.Lost != c.lost {
			t.Errorf("%s: %d lost, want %d", name, o.Lost, c.lost)
		}
		told := false
		for _, f := range o.Findings {
			told = told || f.ID == "LP208" && f.Severity == finding.Warning && strings.Contains(f.Message, "unknown")
		}
		if told == c.known {
			t.Errorf("%s: findings %v", name, o.Findings)
		}
	}
	// Replies that nothing is known of are not short.
	o := mustText(t, reply("1")+"9 packets transmitted, 9 received, 0% packet loss\n", Query{})
	if o.Dist.Count() != 9 || o.Dist.Max().Upper != dist.Inf {
		t.Errorf("%d replies up to %v", o.Dist.Count(), o.Dist.Max())
	}
}

// A lost reply took at least as long as one that came.
func TestLostIsNotShorterThanTheLongest(t *testing.T) {
	o := mustText(t, "10.0.0.1 : 0.012 3000.040 - 0.045\n", Query{})
	if second := o.Dist.AtRank(3); second.Upper < 3*time.Second || o.Lost != 1 {
		t.Errorf("%d lost, the second longest %v", o.Lost, second)
	}
}

// mtr -o takes any order of the columns; names may hold blanks, and lines
// may end anywhere in a reader's buffer.
func TestMtrColumns(t *testing.T) {
	o := mustText(t, "HOST: a                           Loss%   Snt   Best  Wrst Last Avg StDev\n  1.|-- b (10.0.0.2)              0.0%    10    0.1   900.4   0.2   0.4   2.8\n", Query{})
	if got := o.Dist.Max().Upper; got != 900_500*time.Microsecond {
		t.Errorf("longest %v", got)
	}
	_, err := text("x", "HOST: a   Loss%   Snt  Last\n  1.|-- b  0.0%    10   0.2\n", Query{})
	refused(t, err, fault.Usage, "x:1", "Best")
	row := "  1.|-- 10.0.0.2                  0.0%    10    0.2   0.3   0.1   0.4   2.8\n"
	for pad := range len(row) {
		page := "HOST: a  Loss%   Snt   Last   Avg  Best  Wrst StDev\n" + strings.Repeat("#", headSize-pad-60) + "\n" + row + strings.Repeat("#", 2*headSize) + "\n"
		if o := mustText(t, page, Query{Format: "mtr"}); o.Dist.Count() != 10 {
			t.Fatalf("padding %d: %d probes", pad, o.Dist.Count())
		}
	}
}

// The server counts what took longer than a second as a second.
func TestRedisHistogramIsOpenAtASecond(t *testing.T) {
	o := mustText(t, `{"set":{"calls":10,"histogram_usec":{"33":5,"536870":9,"1073741":10}}}`, Query{})
	if top := o.Dist.Max(); top.Upper != dist.Inf || o.Dist.AtRank(9).Upper != 536_871*time.Microsecond {
		t.Errorf("longest %v, before it %v", top, o.Dist.AtRank(9))
	}
}

// kubectl logs --all-containers: what another tool says is not read, which is
// told, whichever tool's reader it is and wherever its lines stand.
func TestSeveralToolsInOneFile(t *testing.T) {
	tools := map[string]string{
		"jvm":       shortStop,
		"gctrace":   "gc 1 @0.010s 2%: 0.02+0.9+9000.0 ms clock, 0.1+0.2/0.3/0.4+0.5 ms cpu, 4->4->1 MB, 5 MB goal, 8 P\n",
		"node-gc":   "[1:0x1] 14 ms: Mark-Compact 10.0 (20.0) -> 5.0 (20.0) MB, 9000.00 / 0.00 ms  (average mu = 1, current mu = 1) allocation failure\n",
		"zookeeper": "zk_version\t3.9.2\nzk_max_latency\t5\n",
		"ping":      "64 bytes from 1.1.1.1: icmp_seq=1 ttl=64 time=9000 ms\n",
		"mtr":       "HOST: a                           Loss%   Snt   Last   Avg  Best  Wrst StDev\n  1.|-- 10.0.0.1                  0.0%    10    0.2   0.3   0.1 900.4   2.8\n",
	}
	mixed := func(o *Observation) string {
		for _, f := range o.Findings {
			if f.ID == "LP208" && f.Severity == finding.Warning && strings.Contains(f.Message, "several tools") {
				return f.Message
			}
		}
		return ""
	}
	for a, one := range tools {
		if o := mustText(t, strings.Repeat(one+"plain words\n", 3), Query{}); o.Format != a || mixed(o) != "" {
			t.Errorf("%s alone: %s, %v", a, o.Format, o.Findings)
		}
		for b, other := range tools {
			if a == b {
				continue
			}
			o := mustText(t, strings.Repeat(one, 3)+"plain words\n\n\n"+other, Query{})
			unread := b
			if o.Format == b {
				unread = a
			}
			if !strings.HasSuffix(mixed(o), " "+unread) {
				t.Errorf("%s, then %s: read as %s, %v", a, b, o.Format, o.Findings)
			}
		}
	}
}
