package cmd

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
)

// holds is a file of hold times, repeated until there are enough of them.
func holds(t *testing.T, lines string) string {
	file := filepath.Join(t.TempDir(), "holds.txt")
	if err := os.WriteFile(file, []byte(strings.Repeat(lines, 3000)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// M/M/1 and M/D/1 have textbook waits: rho/(mu-lambda) and half of it.
func TestPollaczekKhinchine(t *testing.T) {
	const values = 20_000
	var times []time.Duration
	var shares []float64
	for i := range values {
		times = append(times, time.Duration(-math.Log(1-(float64(i)+0.5)/values)*1e8)) // exponential, 100 ms
		shares = append(shares, 1.0/values)
	}
	constant := dist.Point(100 * time.Millisecond).Hi
	for _, c := range []struct {
		hold                                 dist.Steps
		rate, wait, spare, waitOff, spareOff float64
	}{
		{dist.Law(times, shares).Hi, 5, 0.1, 0.5, 0.001, 0.001},
		{constant, 5, 0.05, 0.5, 1e-9, 1e-12},
		{constant, 10, math.Inf(1), 0, 0, 1e-12},
	} {
		got := longRunOf(c.rate, c.hold, 0)
		if got.meanWait != c.wait && math.Abs(got.meanWait-c.wait) > c.waitOff || math.Abs(got.spare-c.spare) > c.spareOff {
			t.Errorf("%v a second: wait %g s, want %g; spare %g, want %g", c.rate, got.meanWait, c.wait, got.spare, c.spare)
		}
	}
}

// A violated rule is exit 3 of every command that plans, simulate among them.
func TestSimulateExitsAsThePlanDoes(t *testing.T) {
	for _, c := range []struct {
		flags string
		code  int
		says  string
	}{
		{"--p999 1s --pause 1s --margin 10ms --contenders 1000 --fencing yes --queue-sla 20s", 3, "LP305"},
		{"--p999 2h --p99 1h --pause 1s --max-hold 1h --mode renewed --queue-sla 20s --fencing yes", 3, "LP116"},
		{"--p999 1s --pause 1s --margin 10ms --contenders 20 --fencing yes --queue-sla 20s", 0, ""},
	} {
		for _, name := range []string{"ttl", "tradeoff", "simulate --trials 2"} {
			code, _, stderr := run("", append(strings.Fields(name), strings.Fields(c.flags)...)...)
			if code != c.code || !strings.Contains(stderr, c.says) {
				t.Errorf("%s %s: exit %d, want %d with %q: %s", name, c.flags, code, c.code, c.says, stderr)
			}
		}
	}
}

// A key whose callers never stop coming serves one in each hold and delay: of
// lambda a second 1/(h + W) are served. Without --detect W is the margin.
func TestWaitersAreAsLateAsTheMargin(t *testing.T) {
	args := strings.Fields("simulate --hold " + holds(t, "100ms\n") + " --pause 0s --margin 700ms --rate 5/s --queue-sla 10s --fencing yes --trials 1 --scenario normal -o json")
	share := 1 / (5 * 0.8)
	for _, detect := range [][]string{nil, {"--detect", "700ms"}} {
		_, stdout, stderr := run("", append(args, detect...)...)
		var d simulationDoc
		if err := json.Unmarshal([]byte(stdout), &d); err != nil {
			t.Fatal(err, stderr)
		}
		one := d.Contention[0]
		// 100 ms in whole milliseconds are up to 101 ms (B1).
		if math.Abs(*one.Success-share) > 0.01*share || one.MeanWait != nil || math.Abs(one.Taken-4) > 0.01 || time.Duration(*d.Detect) != 700*time.Millisecond {
			t.Errorf("%v: %.4f served, want %.4f; mean %v, taken %g, delay %v", detect, *one.Success, share, one.MeanWait, one.Taken, d.Detect)
		}
		if !strings.Contains(stdout, "LP306") {
			t.Errorf("%v: no LP306", detect)
		}
	}
	for _, command := range []string{"ttl", "tradeoff"} { // by the formula, as by the simulation
		_, stdout, _ := run("", append([]string{command}, strings.Fields("--p999 100ms --pause 0s --margin 700ms --detect 700ms --rate 5/s --queue-sla 10s --fencing yes -o json")...)...)
		if !strings.Contains(stdout, "while callers wait, each hold takes up to 700ms more") {
			t.Errorf("%s: no LP306 in %s", command, stdout)
		}
	}
}

// Erlang's loss formula: of callers who hardly wait beside a hold,
// lambda h / (1 + lambda h) find the lock held. They waited for A, and where
// they are more than one in a hundred so did the caller at P99.
func TestWaitCountsWhoGivesUp(t *testing.T) {
	for _, offered := range []float64{0.005, 0.02, 0.1, 0.5} {
		in := calc.Inputs{AcquireRate: offered / 600}
		q := playQueue(in, dist.Point(600*time.Second).Hi, 1, time.Second, 1, nil)
		lost := offered / (1 + offered)
		if got := 1 - q.success; math.Abs(got-lost) > 0.03*lost+0.0001 {
			t.Errorf("%g offered: %.5f give up, want %.5f", offered, got, lost)
		}
		want := time.Duration(0)
		if lost > 0.01 {
			want = time.Second
		}
		if q.p99 != want {
			t.Errorf("%g offered: P99 %v, want %v", offered, q.p99, want)
		}
	}
}

// The mean that LP306 counts is of holds cut at the maximum, as the table's
// load is: half of 1 ms to 2 s holds, cut at 1 s.
func TestContentionCutsHolds(t *testing.T) {
	file := holds(t, "1ms\n2s\n")
	_, stdout, stderr := run("", strings.Fields("simulate --hold "+file+" --pause 0s --margin 1ms --detect 0s --mode renewed --max-hold 1s --rate 1.7/s --queue-sla 10s --fencing yes --trials 1 --scenario crash -o json")...)
	var d simulationDoc
	if err := json.Unmarshal([]byte(stdout), &d); err != nil {
		t.Fatal(err, stderr)
	}
	load := 1.7 * (0.001 + 1) / 2
	if got := d.Contention[0].Utilisation; math.Abs(got-load) > 1e-5 {
		t.Errorf("load %g, want %g", got, load)
	}
	if !strings.Contains(stdout, "one key is in use for 85.1 % of the time") {
		t.Errorf("LP306 counts something else: %s", stdout)
	}
}

// check counts the same holds as the plan that it checks.
func TestCheckCutsHolds(t *testing.T) {
	file := holds(t, "1ms\n2s\n")
	for _, c := range []struct {
		limit string
		fires bool
	}{{"1s", false}, {"2s", true}} { // 1.5 a second of 0.5 s, and of 1 s
		_, stdout, stderr := run("", strings.Fields("check --ttl 3s --renew 1s --renew-timeout 100ms --rtt 1ms --hold "+file+" --max-hold "+c.limit+" --pause 0s --detect 0s --rate 1.5/s --wait 20s --fencing yes -o json")...)
		if strings.Contains(stdout, "LP306") != c.fires {
			t.Errorf("--max-hold %s: LP306 %v: %s %s", c.limit, !c.fires, stdout, stderr)
		}
	}
}
