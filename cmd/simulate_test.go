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
