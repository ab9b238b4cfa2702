package cmd

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/sim"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

func TestTradeoffAndSimulationMatchTheirSchema(t *testing.T) {
	for name, commands := range map[string][][]string{
		"tradeoff": {
			{"tradeoff", "--p99", "200ms", "--p999", "800ms", "--pause", "1.5s", "--rto", "5s", "--rate", "50/s"},
			{"tradeoff", "--p99", "20s", "--p999", "40s", "--pause", "1.5s", "--mode", "renewed", "--holders", "7"},
			{"tradeoff", "--p999", "800ms", "--pause", "1.5s", "--rto", "9s", "--rate", "50/s", "--optimise", "--cost-false-expiry", "5", "--cost-blocked-second", "2", "--crash-rate", "1/d"},
			{"tradeoff", "--p999", "800ms", "--pause", "1.5s", "--rto", "2s"},
		},
		"simulation": {
			{"simulate", "--p50", "50ms", "--p999", "800ms", "--pause", "1.5s", "--rto", "5s", "--rate", "2/s", "--trials", "64", "--trace"},
			{"simulate", "--p99", "20s", "--p999", "40s", "--pause", "1.5s", "--mode", "renewed", "--trials", "64"},
			{"simulate", "--p999", "800ms", "--pause", "1.5s", "--rto", "2s"},
		},
		"check": {{"check", "--ttl", "30s", "--renew", "10s", "--renew-timeout", "2s", "--simulate"}},
	} {
		schema := compiled(t, name)
		for _, args := range commands {
			_, stdout, stderr := run("", append(args, "-o", "json")...)
			document, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
			if err != nil {
				t.Errorf("%v: %v: %s", args, err, stderr)
			} else if err := schema.Validate(document); err != nil {
				t.Errorf("%v: %v", args, err)
			}
		}
	}
}

// Without a plan there is nothing to play, and every form of output says so.
func TestSimulateInfeasible(t *testing.T) {
	for form, want := range map[string]string{"json": `"feasible": false`, "yaml": "feasible: false", "csv": ",,false\n", "markdown": "LP103", "table": "LP103"} {
		code, stdout, _ := run("", "simulate", "--p99", "200ms", "--p999", "800ms", "--pause", "1.5s", "--rto", "2s", "-o", form)
		if code != 3 || !strings.Contains(stdout, want) {
			t.Errorf("%s: exit %d, without %q:\n%s", form, code, want, stdout)
		}
	}
}

// Work has a bound: a trial that is beyond it is refused, and many trials are
// fewer, which is said.
func TestSimulateIsBounded(t *testing.T) {
	flags := "simulate --p999 800ms --pause 1.5s --fencing yes --queue-sla 10s --scenario "
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"normal --contenders 1000000", 2, "more than 524 288 events"},
		{"crash --trials 10000000", 0, "(up to 10 000 000 trials each, seed 1) fewer trials where a run would be of more than about 8 388 608 events (crash x1: "},
		{"crash --trials 2000", 0, "(2 000 trials each"},
	} {
		code, stdout, stderr := run("", strings.Fields(flags+c.args)...)
		if code != c.code || !strings.Contains(strings.Join(strings.Fields(stdout+stderr), " "), c.says) {
			t.Errorf("%s: exit %d without %q: %s\n%s", c.args, code, c.says, stdout, stderr)
		}
	}
}

// Near saturation the queue is played in its long run: M/M/1's waits are known,
// P(W > t) = rho e^(-(mu - lambda) t), and the mean wait with handovers is that
// of the queue as played.
func TestQueueNearSaturation(t *testing.T) {
	const steps = 4000
	var holds []time.Duration
	var masses []float64
	for i := range steps {
		holds = append(holds, time.Duration(-math.Log(1-(float64(i)+0.5)/steps)*float64(10*time.Millisecond)))
		masses = append(masses, 1.0/steps)
	}
	law := bestLaw(dist.Law(holds, masses))
	for _, rho := range []float64{0.5, 0.9, 0.97, 0.985} {
		in := calc.Inputs{AcquireRate: 100 * rho}
		q := playQueue(in, law, 1, 0, 1, nil)
		for share, got := range map[float64]time.Duration{0.5: q.p50, 0.99: q.p99} {
			want := max(0, math.Log(rho/(1-share))/(100-100*rho))
			if math.Abs(got.Seconds()-want) > 0.15*want+0.001 {
				t.Errorf("rho %v: P%v %v, want %.3f s", rho, 100*share, got, want)
			}
		}
	}
	for _, rate := range []float64{20, 60, 80} {
		in := calc.Inputs{AcquireRate: rate, Detect: calc.Claim(4*time.Millisecond, "poll")}
		q, want := playQueue(in, law, 1, 0, 1, nil), longRunOf(rate, law, 4*time.Millisecond).meanWait
		if got := q.waiting / rate; math.Abs(got-want) > 0.06*want {
			t.Errorf("%v a second with handovers: mean wait %.5f s, want %.5f s", rate, got, want)
		}
	}
	if q := playQueue(calc.Inputs{AcquireRate: 99.95}, law, 1, 0, 1, nil); q.played {
		t.Error("a queue that never settles is played")
	}
}

// A printed bound is never below what it bounds.
func TestProbabilitiesRoundUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := math.Pow(10, rapid.Float64Range(-14, 0).Draw(t, "exponent"))
		if got := digits(p); got < p*(1-3e-9) || got > p*1.011 {
			t.Fatalf("digits(%v) = %v", p, got)
		}
		text := chanceText(p)
		if got, err := strconv.ParseFloat(text, 64); err != nil || got < p*(1-3e-9) || got > p*1.11 {
			t.Fatalf("chanceText(%v) = %s", p, text)
		}
		d := time.Duration(rapid.Int64Range(1, 1<<50).Draw(t, "duration"))
		if got := short(d); got == "" {
			t.Fatal(got)
		}
	})
	for in, want := range map[float64]string{0.001: "0.001", 0.0010000000005: "0.001", 0: "0", 1: "1", 3e-16: "< 1e-15", 0.00101: "0.0011"} {
		if got := chanceText(in); got != want {
			t.Errorf("chanceText(%v) = %s, want %s", in, got, want)
		}
	}
}

func TestEventText(t *testing.T) {
	for _, c := range []struct {
		client int
		what   string
		value  time.Duration
		want   string
	}{
		{0, "is stopped for", 2250 * time.Millisecond, "t=12.3s        caller A is stopped for 2.25s"},
		{1, "owns the lock until", 15 * time.Second, "t=12.3s        caller B owns the lock until t=15s"},
		{-1, "the lock service fails over", 0, "t=12.3s        the lock service fails over"},
	} {
		if got := eventText(12300*time.Millisecond, c.client, c.what, c.value); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A long story has its beginning, its end and the overlap that it is told for,
// in order, and says what it leaves out.
func TestStoryKeepsTheOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 500).Draw(t, "events")
		turn := rapid.IntRange(0, n-1).Draw(t, "overlap")
		var events []storyEvent
		for i := range n {
			e := storyEvent{time.Duration(i), "", strconv.Itoa(i)}
			if i != turn {
				events = append(events, e)
			}
		}
		events = append(events, storyEvent{time.Duration(turn), sim.Overlapped, strconv.Itoa(turn)})
		lines := abridged(events)
		if len(lines) > longestStory+2 {
			t.Fatalf("%d lines", len(lines))
		}
		next, seen := 0, false
		for _, line := range lines {
			if left, ok := strings.CutPrefix(line, "... "); ok {
				gap, _ := strconv.Atoi(strings.Fields(left)[0])
				next += gap
				continue
			}
			if line != strconv.Itoa(next) {
				t.Fatalf("%q where %d is due", line, next)
			}
			seen = seen || next == turn
			next++
		}
		if next != n || !seen {
			t.Fatalf("told up to %d of %d, the overlap %v", next, n, seen)
		}
	})
}

// What the table says of the worst overlap is in the story of it.
func TestTraceTellsTheOverlap(t *testing.T) {
	_, stdout, stderr := run("", strings.Fields("simulate --library rueidislock --failures 0 --p99 20s --p999 40s --pause 1.5s --margin 700ms --queue-sla 5m --scenario unwatched --trials 100 --trace")...)
	if !strings.Contains(strings.Join(strings.Fields(stdout), " "), "wrote after another owned the lock, for 3.72s") {
		t.Errorf("%s\n%s", stderr, stdout)
	}
}

// The observed case from end to end: a histogram, a log of pauses with its
// window, round trips; the counted share agrees with the formula's bracket and
// the picture is one.
func TestObservedTradeoffAndSimulation(t *testing.T) {
	dir := t.TempDir()
	picture := filepath.Join(dir, "ttl.png")
	inputs := []string{"--hold", "../testdata/source/locks.prom", "--metric", "lock_hold_seconds", "--match", `service="stock"`, "--since-start",
		"--pauses", "../testdata/source/jdk17-g1.log", "--rtt", "5ms", "--rto", "2s", "--rate", "20/s", "--fencing", "yes"}
	code, stdout, stderr := run("", append([]string{"tradeoff", "--plot", picture}, inputs...)...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if strings.Contains(stdout, "as if every hold met") {
		t.Errorf("the log's rate of pauses is not used:\n%s", stdout)
	}
	content, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(content)); err != nil {
		t.Error(err)
	}
	code, stdout, stderr = run("", append([]string{"simulate", "--trials", "100", "--queue-sla", "5s"}, inputs...)...)
	if code != 0 || !strings.Contains(stdout, "every promise is kept") {
		t.Errorf("exit %d: %s\n%s", code, stderr, stdout)
	}
}
