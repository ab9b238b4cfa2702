package source

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

const (
	shortStop = "[1.000s][info][safepoint] Safepoint \"A\", Time since last: 1 ns, Reaching safepoint: 10 ns, At safepoint: 2000000 ns, Total: 2000010 ns\n"
	longStop  = `[2.000s][info][safepoint] Safepoint "B", Time since last: 1 ns, Reaching safepoint: 10 ns, At safepoint: 8000000000 ns, Total: 8000000010 ns`
)

// Two logs of different levels in one file: what only the Pause lines tell
// counts too, what a safepoint holds does not count again.
func TestPausesOutsideOfSafepoints(t *testing.T) {
	full := "[1.000s][info][gc] GC(0) Pause Full (System.gc()) 100M->50M(200M) 5000.123ms\n"
	young := "[1.999s][info][gc] GC(1) Pause Young (Normal) 100M->50M(200M) 1.900ms\n"
	inside := strings.ReplaceAll(shortStop, "[1.000s]", "[2.000s]")
	for page, want := range map[string]struct {
		stops   uint64
		longest time.Duration
	}{
		full + shortStop:                  {2, 5000_124 * time.Microsecond},
		full + young + shortStop + inside: {4, 5000_124 * time.Microsecond},
		shortStop + full:                  {2, 5000_124 * time.Microsecond},
		// A safepoint that is long enough, at another time.
		strings.ReplaceAll(full, "[1.0", "[90.0") + longStop + "\n": {2, 8000_000_010},
		// Only the last one has room in the safepoint.
		strings.Repeat(full, 9) + longStop + "\n": {9, 8000_000_010},
		strings.Repeat(young, 9) + inside:         {9, 2000_010},
	} {
		o := mustText(t, page, Query{})
		f, ok := has(o, "LP208")
		if o.Dist.Count() != want.stops || o.Dist.Max().Upper != want.longest || !ok || f.Severity != finding.Warning || o.Metric != "safepoints and Pause lines" {
			t.Errorf("%s%d stops up to %v of %s, %v", page, o.Dist.Count(), o.Dist.Max().Upper, o.Metric, o.Findings)
		}
	}
	for _, page := range []string{
		young + inside,
		strings.ReplaceAll(young, "[1.999s]", "") + shortStop, // no uptime
		"[1.9s][info][gc] GC(1) Pause Young (Normal) 9M->5M(20M) 5.000ms\n[2.000s][info][gc] GC(2) Pause Full (x) 9M->5M(20M) 90.000ms\n" + longStop + "\n",
	} {
		if o := mustText(t, page, Query{}); o.Dist.Count() != 1 || o.Metric != "safepoints" || len(o.Findings) != 0 {
			t.Errorf("%s%d stops of %s, %v", page, o.Dist.Count(), o.Metric, o.Findings)
		}
	}
	// ZGC's would only pull the percentiles down, and are told.
	mark := "[9.000s][info][gc,phases] GC(0) Pause Mark Start 0.012ms\n"
	o := mustText(t, shortStop+mark+mark, Query{})
	if f, ok := has(o, "LP208"); o.Dist.Count() != 1 || !ok || !strings.Contains(f.Message, "2 Pause lines") {
		t.Errorf("%d stops, %v", o.Dist.Count(), o.Findings)
	}
}

// grep Pause of a log of ZGC or Shenandoah: 0.1 ms where the process stood for
// 169 ms.
func TestConcurrentPausesAlone(t *testing.T) {
	for _, pause := range []string{"Pause Mark Start 0.012ms", "Pause Mark End 0.027ms", "Pause Relocate Start 0.020ms", "Pause Init Mark (unload classes) 0.084ms",
		"Pause Final Mark 0.066ms", "Pause Init Update Refs 0.017ms", "Pause Final Update Refs 0.020ms", "Pause Final Roots 0.020ms", "Pause Degenerated GC (Mark) 3M->2M(9M) 30.020ms"} {
		_, err := text("x", "[2.858s][info][gc,phases   ] GC(0) "+pause+"\n", Query{})
		refused(t, err, fault.NoData, "safepoint")
	}
	// CMS stops for all of what its Pause lines say.
	if o := mustText(t, "[2.858s][info][gc] GC(0) Pause Initial Mark 9M->9M(19M) 3.000ms\n", Query{}); o.Dist.Count() != 1 {
		t.Errorf("%d stops", o.Dist.Count())
	}
}

// kubectl logs, journald, compose and Docker's own files put something in
// front of the line.
func TestPrefixedLines(t *testing.T) {
	for _, prefix := range []string{"2024-01-01T00:00:00Z ", "[pod/app-0/main] ", "Jan 01 00:00:00 host java[123]: ", "app_1  | ", `{"log":"`} {
		line := prefix + longStop
		if strings.HasPrefix(prefix, "{") {
			line = prefix + strings.ReplaceAll(longStop, `"`, `\"`) + `\n","stream":"stdout","time":"2024-01-01T00:00:00Z"}`
		}
		for _, page := range []string{line + "\n", shortStop + line + "\n"} {
			if o := mustText(t, page, Query{}); o.Dist.Max().Upper != 8000_000_010 {
				t.Errorf("%s: longest %v", page, o.Dist.Max().Upper)
			}
		}
		if o := mustText(t, shortStop+line+"\n", Query{}); o.Window == nil || *o.Window != time.Second {
			t.Errorf("%s: window %v", line, o.Window)
		}
	}
	o := mustText(t, shortStop+"2024-01-01T00:00:00Z [2.000s][info][gc] Allocation Stall (main) 900.000ms\n", Query{})
	if o.Dist.Count() != 2 || o.Dist.Max().Upper != 900_001*time.Microsecond {
		t.Errorf("%d stops up to %v", o.Dist.Count(), o.Dist.Max().Upper)
	}
	o = mustText(t, "2024-01-01T00:00:00Z [2.000s][info][gc] GC(3) Pause Full (x) 9M->5M(20M) 90.000ms\n", Query{})
	if o.Dist.Max().Upper != 90_001*time.Microsecond {
		t.Errorf("longest %v", o.Dist.Max().Upper)
	}
}

// A log that says itself that lines are missing.
func TestDroppedMessages(t *testing.T) {
	drop := "[3.000s][warning][safepoint] 12345 messages dropped due to async logging\n"
	o := mustText(t, shortStop+drop+drop, Query{})
	if f, ok := has(o, "LP202"); !ok || f.Severity != finding.Warning || !strings.Contains(f.Message, "24690") || f.Line != 3 {
		t.Errorf("%v", o.Findings)
	}
}

// Two lines of JDK 8 that a missing line break made one.
func TestTwoStoppedTimesInALine(t *testing.T) {
	line := "2020-01-01T00:00:00.000+0000: 1.234: Total time for which application threads were stopped: 0.0001000 seconds, Stopping threads took: 0.0000100 seconds"
	o := mustText(t, line+strings.ReplaceAll(line, "0.0001000", "5.0001000")+"\n", Query{})
	if o.Dist.Count() != 2 || o.Dist.Max().Upper != 5_000_100_100 {
		t.Errorf("%d stops up to %v", o.Dist.Count(), o.Dist.Max().Upper)
	}
}

// A log that was copied while it grew may end inside the longest stop.
func TestLogThatEndsInsideALine(t *testing.T) {
	for at := 1; at < len(longStop); at++ {
		o := mustText(t, shortStop+longStop[:at], Query{})
		_, told := has(o, "LP202")
		if whole := strings.Contains(longStop[:at], "Total: 8000000010 ns"); o.Dist.Count() == 2 != whole || told == whole {
			t.Fatalf("%q: %d stops, %v", longStop[:at], o.Dist.Count(), o.Findings)
		}
	}
	if o := mustText(t, shortStop+longStop, Query{}); o.Dist.Count() != 2 || len(o.Findings) != 0 {
		t.Errorf("%d stops, %v", o.Dist.Count(), o.Findings)
	}
	if o := mustText(t, shortStop+"[2.0s][info][gc,heap] GC(10)  Capacity:       96M (10", Query{}); len(o.Findings) != 0 {
		t.Errorf("no stop can be in that line: %v", o.Findings)
	}
	stopped := "1.5: Total time for which application threads were stopped: 0.1 seconds"
	o := mustText(t, stopped+"\n"+stopped+stopped[:len(stopped)-9], Query{})
	if _, told := has(o, "LP202"); o.Dist.Count() != 2 || !told {
		t.Errorf("%d stops, %v", o.Dist.Count(), o.Findings)
	}
}

// What stands behind a message, the end of a container's JSON, other output or
// the next message, hides neither it nor what follows. The longest stop is 9 s
// in all of them.
func TestMessagesWithSomethingBehind(t *testing.T) {
	const stall = "[1.5s][info][gc] Allocation Stall (main) 9000.500ms"
	const full = "[1.5s][info][gc] GC(1) Pause Full (System.gc()) 10M->5M(20M) 9000.500ms"
	second := strings.ReplaceAll(strings.ReplaceAll(longStop, "8000000", "9000000"), "2.000s", "1.500s")
	docker := func(line string) string {
		return `{"log":"` + strings.ReplaceAll(strings.ReplaceAll(line, `"`, `\"`), ">", `\u003e`) + `\n","stream":"stdout"}`
	}
	cut := strings.TrimSuffix(shortStop, "\n")
	for name, line := range map[string]string{
		"stall, docker":             docker(stall),
		"stall of a GC, docker":     docker(strings.Replace(stall, "Allocation", "GC(1) y: Allocation", 1)),
		"bare stall, docker":        docker(stall[len("[1.5s][info][gc] "):]),
		"pause, docker":             docker(full),
		"stall, output":             stall + " app says hello",
		"stall, output at once":     stall + "hello",
		"stall, blank":              stall + " ",
		"stall, thread with a time": strings.Replace(stall, "main", "timer (a) 5ms", 1),
		"stall, comma":              strings.Replace(stall, ".500ms", ",500ms", 1) + " ",
		"pause, output":             full + " took 5.5ms",
		"safepoints":                cut + second,
		"safepoints, bare":          cut + second[strings.Index(second, "Safepoint"):],
		"safepoint, stall":          cut + stall,
		"stall, safepoint":          strings.Replace(stall, "9000", "1", 1) + second,
		"output, safepoint":         "hello" + second,
		"concurrent, safepoint":     "[1.4s][info][gc] GC(7) Concurrent Mark 3.5ms" + second,
		"start, safepoint":          "[1.4s][info][gc,start] GC(7) Pause Young (Normal)" + second,
		"pause, stopped time":       strings.Replace(full, "9000", "1", 1) + "[1.5s][info][safepoint] Total time for which application threads were stopped: 9.0000001 seconds",
	} {
		o := mustText(t, shortStop+line+"\n"+shortStop, Query{})
		if top := o.Dist.Max().Upper.Truncate(time.Second); top != 9*time.Second || o.Dist.AtRank(1).Upper > 2000_010 {
			t.Errorf("%s: %d stops up to %v", name, o.Dist.Count(), o.Dist.Max())
		}
	}
	_, err := text("x", shortStop+"[1.5s][info][gc] Allocation Stall (main)\n"+shortStop, Query{})
	refused(t, err, fault.Usage, "x:2", "stall")
}
