package source

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// The figures were counted from the files with grep and sort. For ZGC and
// Shenandoah the Pause lines say 0.1 ms where the process stood for 169 ms
// and 40 ms.
func TestRealJVMLogs(t *testing.T) {
	for name, c := range map[string]struct {
		stops, stalls uint64
		longest       time.Duration
	}{
		"gen-jdk25-g1-gc-safepoint.log":     {29, 0, 28_270_568},
		"gen-jdk25-genzgc-gc-safepoint.log": {51, 36, 10_394_049},
		"jdk17-serial.log":                  {25, 0, 490_930_942},
		"jdk17-parallel.log":                {34, 0, 189_357_427},
		"jdk17-g1.log":                      {23, 0, 170_869_947},
		"jdk17-zgc.log":                     {40, 13, 169_137_016},
		"jdk17-shenandoah.log":              {15, 0, 40_544_265},
		"jdk25-serial.log":                  {28, 0, 245_972_014},
		"jdk25-shenandoah.log":              {14, 0, 17_869_043},
	} {
		o := mustFile(t, name, Query{Measures: Pause})
		if o.Format != "jvm" || o.Measures != Pause {
			t.Errorf("%s: %s of %s", name, o.Format, o.Measures)
		}
		if got := o.Dist.Max(); got.Upper != c.longest {
			t.Errorf("%s: longest %v, want %v", name, got.Upper, c.longest)
		}
		if got := o.Dist.Count(); got != c.stops+c.stalls {
			t.Errorf("%s: %d stops, want %d and %d stalls", name, got, c.stops, c.stalls)
		}
		if o.Window == nil || *o.Window < 50*time.Millisecond || *o.Window > 20*time.Second {
			t.Errorf("%s: window %v", name, o.Window)
		}
	}
	// Sum of the totals by the README: 146.4060 ms over 29.
	o := mustFile(t, "gen-jdk25-g1-gc-safepoint.log", Query{})
	if got := o.Mean.Round(time.Microsecond); got != 5048*time.Microsecond {
		t.Errorf("mean %v", got)
	}
}

// Where safepoints are logged, the Pause lines of the same stops do not count
// again; where they are not, a Pause Full inside a Pause Young is part of it.
func TestNestedPausesCountOnce(t *testing.T) {
	o := mustText(t, `[0.100s][info][gc] GC(0) Pause Young (Allocation Failure) 1M->1M(2M) 9.000ms
[0.200s][info][gc] GC(2) Pause Full (Allocation Failure) 1M->1M(2M) 30.000ms
[0.202s][info][gc] GC(1) Pause Young (Allocation Failure) 1M->1M(2M) 40.000ms
[0.300s][info][gc] GC(3) Pause Young (Allocation Failure) 1M->1M(2M) 5.000ms
`, Query{})
	if o.Dist.Count() != 3 {
		t.Errorf("%d stops, want 3", o.Dist.Count())
	}
	if top := o.Dist.Max(); top.Upper != 40_001*time.Microsecond {
		t.Errorf("longest %v", top)
	}
	if f, ok := has(o, "LP208"); !ok || f.Severity != finding.Warning {
		t.Errorf("Pause lines pass for stops: %v", o.Findings)
	}
}

// The fields of a safepoint line differ between versions: Total goes by name.
func TestSafepointVariants(t *testing.T) {
	for _, line := range []string{
		`[1.000s][info][safepoint] Safepoint "G1Collect", Time since last: 9 ns, Reaching safepoint: 100 ns, At safepoint: 200 ns, Total: 7000000 ns`,
		`[1.000s][info][safepoint] Safepoint "G1Collect", Time since last: 9 ns, Reaching safepoint: 100 ns, Cleanup: 5 ns, At safepoint: 200 ns, Total: 7000000 ns`,
		`[1.000s][info][safepoint] Safepoint "G1Collect", Time since last: 9 ns, Reaching safepoint: 100 ns, At safepoint: 200 ns, Leaving safepoint: 9 ns, Total: 7000000 ns, Threads: 2 runnable, 12 total`,
		`Safepoint "G1Collect", Time since last: 9 ns, Total: 7000000 ns`,
		`[2026-11-30T11:54:48.716+0000][1000ms][safepoint] Safepoint "G1Collect", Total: 7000000 ns`,
	} {
		o := mustText(t, line+"\n", Query{})
		if o.Dist.Max().Upper != 7*time.Millisecond || o.Dist.Count() != 1 {
			t.Errorf("%s: %v", line, o.Dist.Max())
		}
	}
	// A log that was copied while it grew.
	o := mustText(t, "[1.000s][safepoint] Safepoint \"A\", Total: 7000000 ns\n[1.0s][safepoint] Safepoint \"B\", Time since la", Query{})
	if o.Dist.Count() != 1 {
		t.Errorf("%d stops", o.Dist.Count())
	}
	_, err := text("x", "[1.0s][safepoint] Safepoint \"B\", Time since la\n[1.000s][safepoint] Safepoint \"A\", Total: 7 ns\n", Query{})
	refused(t, err, fault.Usage, "x:1")
}

// JDK 8 glues its lines into each other, and writes the comma of its locale.
func TestStoppedTimesOfJDK8(t *testing.T) {
	o := mustText(t, `2016-01-01T10:00:00.000+0100: 1,234: Total time for which application threads were stopped: 0,0101620 seconds, Stopping threads took: 0,0000270 seconds
1.500: [GC (Allocation Failure) 2.000: Total time for which application threads were stopped: 1.5000000 seconds
[2.345s][info][safepoint] Total time for which application threads were stopped: 0.0000100 seconds, Stopping threads took: 0.0000010 seconds
`, Query{})
	if o.Dist.Count() != 3 || o.Dist.Max().Upper != 1_500_000_100 {
		t.Errorf("%d stops up to %v", o.Dist.Count(), o.Dist.Max())
	}
}

// A log without the stops is not a log with none.
func TestLogLevelTooLow(t *testing.T) {
	for page, hint := range map[string]string{
		"[0.1s][info][gc] Using The Z Garbage Collector\n[0.2s][info][gc] GC(0) Garbage Collection (Warmup) 106M(50%)->88M(40%)\n": "safepoint",
		"[0.1s][info][gc,phases] GC(0) Y: Pause Mark Start (Major) 0.019ms\n":                                                      "safepoint",
		"[0.1s][info][gc] Using G1\n": "safepoint",
		"1.234: [GC (Allocation Failure) 65536K->10748K(251392K), 0.0123456 secs]\n": "PrintGCApplicationStoppedTime",
	} {
		_, err := text("x", page, Query{})
		refused(t, err, fault.NoData, hint)
	}
}

// The middle phase runs beside the program: read as a stop it would be 4.4 ms.
func TestGCTrace(t *testing.T) {
	o := mustFile(t, "gctrace.txt", Query{})
	if o.Format != "gctrace" || o.Measures != Pause || o.Window == nil {
		t.Fatalf("%+v", o)
	}
	o = mustText(t, "serving 8080\nx\ny 1 2\ny 2 3\n{\"level\":\"info\"}\ngc 1 @0.058s 0%: 0.020+1.0+0.070 ms clock, 0.1+0.6/0.9/0.1+0.2 ms cpu, 4->4->0 MB, 5 MB goal, 8 P\na,b\n1,2\n", Query{Format: "gctrace"})
	if len(o.Findings) != 0 {
		t.Errorf("a program's own lines are another tool's: %v", o.Findings)
	}
	o = mustText(t, "hello gc 1 @0.058s 0%: 0.020+1.0+0.070 ms clock, 0.1+0.6/0.9/0.1+0.2 ms cpu, 4->4->0 MB, 5 MB goal, 8 P\nserving\n"+
		"gc 2 @1.058s 0%: 0.020+90+48 ms clock, 0.1+0.6/0.9/0.1+0.2 ms cpu, 4->4->0 MB, 5 MB goal, 8 P (forced)\n", Query{})
	if o.Dist.Count() != 4 || o.Dist.Max().Upper != 49*time.Millisecond || *o.Window != time.Second {
		t.Errorf("%d stops up to %v in %v", o.Dist.Count(), o.Dist.Max(), o.Window)
	}
}

func TestNodeTraceGC(t *testing.T) {
	o := mustFile(t, "node-trace-gc.txt", Query{})
	if o.Format != "node-gc" || o.Dist.Count() < 13 {
		t.Errorf("%s: %d stops", o.Format, o.Dist.Count())
	}
	o = mustText(t, "[9:0x1]       13 ms: Scavenge 2.4 (3.2) -> 2.0 (4.2) MB, pooled: 0.0 MB, 0.69 / 0.00 ms  (average mu = 1.000) task;\n"+
		"[9:0x1]      113 ms: Mark-Compact 2.4 (3.2) -> 2.0 (4.2) MB, 1.67 / 0.00 ms  (+ 7.9 ms in 3 steps since start of marking, biggest step 5.3 ms, walltime since start of marking 9 ms) x\n", Query{})
	if o.Dist.Count() != 5 || o.Dist.Max().Upper != 5400*time.Microsecond || *o.Window != 100*time.Millisecond {
		t.Errorf("%d stops up to %v in %v", o.Dist.Count(), o.Dist.Max(), o.Window)
	}
}

// A program's own output stands before a collection, or in the middle of one;
// none may vanish with it. The counts are those of the files as they were
// written.
func TestGluedCollections(t *testing.T) {
	for name, c := range map[string]struct{ torn, glued string }{
		"gctrace.txt":       {"gc 7 @0.058s 0%: 0.020+1.0+", "[1:0x1] gc now "},
		"node-trace-gc.txt": {"[31331:0x16221c00]      114 ms: Mark-Compact 3.9 (4.0) -> served 5 / 7", "log [7] 3 ms / 9 ms: "},
	} {
		page, err := os.ReadFile("../../testdata/source/" + name)
		if err != nil {
			t.Fatal(err)
		}
		want := mustText(t, string(page), Query{})
		for _, glued := range []string{
			c.glued + strings.ReplaceAll(string(page), "\n", "\n"+c.glued),
			strings.ReplaceAll(string(page), "\n", c.glued),
			strings.ReplaceAll(string(page), "\n", ""),
		} {
			o := mustText(t, glued, Query{})
			if o.Dist.Count() != want.Dist.Count() || o.Dist.Max() != want.Dist.Max() || *o.Window != *want.Window || len(o.Findings) != 0 {
				t.Errorf("%s: %d stops up to %v, want %d up to %v; %v", name, o.Dist.Count(), o.Dist.Max(), want.Dist.Count(), want.Dist.Max(), o.Findings)
			}
		}
		o := mustText(t, c.torn+"\n"+c.torn+string(page), Query{})
		f, ok := has(o, "LP202")
		if o.Dist.Count() != want.Dist.Count() || !ok || f.Line != 1 || !strings.HasPrefix(f.Message, "2 ") {
			t.Errorf("%s: %d stops, %v", name, o.Dist.Count(), o.Findings)
		}
	}
}

// A real page of a Go process: garbage collection and other stops are unlike
// events, go_gc_pauses_seconds is the first of them again. The summary's
// quantile 1 is the longest of the last cycles only.
func TestGoRuntimeMetrics(t *testing.T) {
	o := mustFile(t, "gen-lock-hold.prom.txt", Query{Measures: Pause, SinceStart: true})
	if o.Metric != "go_sched_pauses_total_gc_seconds" || o.Dist.Count() != 104 || o.Mean != nil {
		t.Errorf("%d stops of %s, mean %v: the runtime's sum is too small", o.Dist.Count(), o.Metric, o.Mean)
	}
	page := "go_sched_pauses_total_gc_seconds_bucket{le=\"1\"} 5\ngo_sched_pauses_total_gc_seconds_bucket{le=\"+Inf\"} 5\n"
	o = mustText(t, page+strings.ReplaceAll(page, "_gc_", "_other_")+strings.ReplaceAll(page, "go_sched_pauses_total_gc", "go_gc_pauses"), Query{Measures: Pause})
	if o.Dist.Count() != 10 || o.Series != 2 {
		t.Errorf("%d stops in %d series of %s", o.Dist.Count(), o.Series, o.Metric)
	}
	o = mustText(t, "# TYPE go_gc_duration_seconds summary\ngo_gc_duration_seconds{quantile=\"0\"} 1e-05\ngo_gc_duration_seconds{quantile=\"1\"} 0.0024\ngo_gc_duration_seconds_count 9\n# TYPE h_seconds histogram\n", Query{Measures: Pause})
	if o.Dist != nil || o.Claims[1].Value != 2400*time.Microsecond {
		t.Errorf("%+v", o)
	}
}

// The mean gauge would say 11 ms where the loop once stood for 350 ms.
func TestNodeEventLoop(t *testing.T) {
	page := "# TYPE nodejs_eventloop_lag_seconds gauge\nnodejs_eventloop_lag_seconds 0.002\nnodejs_eventloop_lag_mean_seconds 0.011\n" +
		"nodejs_eventloop_lag_p99_seconds 0.04\nnodejs_eventloop_lag_max_seconds 0.35\n"
	mustText(t, "x_bucket{le=\"1\"} 1\n"+page, Query{Metric: "nodejs_eventloop_lag_seconds"})
	o := mustText(t, page, Query{Measures: Pause})
	if len(o.Claims) != 2 || o.Claims[1] != (Claim{1, 350 * time.Millisecond}) {
		t.Errorf("claims %v", o.Claims)
	}
	if _, ok := has(o, "LP208"); !ok {
		t.Errorf("findings %v", o.Findings)
	}
}

// Micrometer's timer and client_java's collector metric know no longest stop.
func TestJVMMetricsAreNotStops(t *testing.T) {
	page := "# TYPE jvm_gc_pause_seconds summary\njvm_gc_pause_seconds_count{action=\"end\"} 9\njvm_gc_pause_seconds_sum{action=\"end\"} 0.9\n# TYPE jvm_gc_pause_seconds_max gauge\njvm_gc_pause_seconds_max{action=\"end\"} 0.001\n"
	_, err := text("x", page, Query{Measures: Pause})
	refused(t, err, fault.NoData, "jvm_gc_pause_seconds", "safepoint")
}

func FuzzJVM(f *testing.F) {
	fuzz(f, "jvm", Query{}, "jdk17-zgc.log", "gen-jdk25-g1-gc-safepoint.log", "1,2: Total time for which application threads were stopped: 0,01 seconds\n")
}

func FuzzGCTrace(f *testing.F) { fuzz(f, "gctrace", Query{}, "gctrace.txt") }

func FuzzNodeGC(f *testing.F) { fuzz(f, "node-gc", Query{}, "node-trace-gc.txt") }

func BenchmarkJVMLog(b *testing.B) {
	var page strings.Builder
	for page.Len() < 64<<20 {
		page.WriteString(jvmPage)
	}
	text := page.String()
	cpu(b, len(text), func() {
		if _, err := Read("x", strings.NewReader(text), Query{}); err != nil {
			b.Fatal(err)
		}
	})
}

const jvmPage = `[2026-11-30T11:54:45.469+0000][0.090s][info][gc,start    ] GC(0) Pause Young (Normal) (G1 Evacuation Pause)
[2026-11-30T11:54:45.471+0000][0.091s][info][gc,task     ] GC(0) Using 2 workers of 2 for evacuation
[2026-11-30T11:54:45.479+0000][0.100s][info][gc,phases   ] GC(0)   Pre Evacuate Collection Set: 0.09ms
[2026-11-30T11:54:45.479+0000][0.100s][info][gc,phases   ] GC(0)   Evacuate Collection Set: 7.79ms
[2026-11-30T11:54:45.479+0000][0.100s][info][gc,heap     ] GC(0) Eden regions: 14->0(27)
[2026-11-30T11:54:45.479+0000][0.100s][info][gc,metaspace] GC(0) Metaspace: 167K(384K)->167K(384K) NonClass: 159K(256K)->159K(256K) Class: 8K(128K)->8K(128K)
[2026-11-30T11:54:45.479+0000][0.100s][info][gc          ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 15M->14M(96M) 9.897ms
[2026-11-30T11:54:48.716+0000][0.221s][info][safepoint   ] Safepoint "G1CollectForAllocation", Time since last: 50780319 ns, Reaching safepoint: 112059 ns, At safepoint: 80120 ns, Leaving safepoint: 10201870 ns, Total: 10394049 ns, Threads: 2 runnable, 12 total
`

func BenchmarkJTL(b *testing.B) {
	var page strings.Builder
	page.WriteString("timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n")
	for i := 0; page.Len() < 64<<20; i++ {
		page.WriteString("1551783627191," + string(rune('1'+i%9)) + "51,JR-OK,200,Good request,Thread Group 1-1,text,true,,18,8,1,1,null,0,0,0\n")
	}
	text := page.String()
	cpu(b, len(text), func() {
		if _, err := Read("x", strings.NewReader(text), Query{}); err != nil {
			b.Fatal(err)
		}
	})
}
