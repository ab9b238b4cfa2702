package library

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
	"pgregory.net/rapid"
)

// LP111 and LP109 of client-go: the hint is written, read again, and does.
func TestClientGoHintWorks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		millis := func(name string, least, most int) string {
			return (time.Duration(rapid.IntRange(least, most).Draw(rt, name)) * time.Millisecond).String()
		}
		retry := rapid.IntRange(50, 20_000).Draw(rt, "retry")
		args := []string{"leaseDuration=" + millis("lease", 2000, 120_000), "renewDeadline=" + millis("renew", retry*13/10, 100_000), "retryPeriod=" + (time.Duration(retry) * time.Millisecond).String(),
			"--outage=" + millis("outage", 1, 300_000), "--pause=" + millis("pause", 0, 5000), "--rtt=5ms", "--failures=" + rapid.SampledFrom([]string{"1", "2", "5"}).Draw(rt, "k")}
		if rapid.Bool().Draw(rt, "own timeout") {
			args = append(args, "clientTimeout="+millis("call", 0, 60_000))
		}
		v, err := judgement("client-go", args...)
		if err != nil {
			rt.Skip(err)
		}
		for _, f := range v.Findings {
			if f.ID != "LP111" && f.ID != "LP109" {
				continue
			}
			with := args
			for _, pair := range strings.Split(f.Fix, ", ") {
				key, _, _ := strings.Cut(pair, "=")
				with = append(dropped(with, key), pair)
			}
			again, err := judgement("client-go", with...)
			if err != nil {
				rt.Fatalf("%v: hint %q: %v", args, f.Fix, err)
			}
			for _, g := range again.Findings {
				if g.ID == f.ID || g.Severity == finding.Error && strings.HasPrefix(g.ID, "LP64") {
					rt.Fatalf("%v: with %q: %s %s", args, f.Fix, g.ID, g.Message)
				}
			}
		}
	})
}

func dropped(args []string, key string) []string {
	var out []string
	for _, a := range args {
		if !strings.HasPrefix(a, key+"=") {
			out = append(out, a)
		}
	}
	return out
}

// README's example: 120/80/5 s gives 75 s.
func TestClientGoLongerOutage(t *testing.T) {
	v := judged(t, "client-go", "leaseDuration=60s", "renewDeadline=40s", "retryPeriod=5s", "--outage=75s", "--pause=1.5s")
	for _, f := range v.Findings {
		if f.ID == "LP111" && !strings.Contains(f.Fix, "renewDeadline=1m20s") {
			t.Errorf("the hint is %q", f.Fix)
		}
	}
	ruleEdges(t, "LP111", []ruleEdge{
		{"error", "client-go", []string{"leaseDuration=60s", "renewDeadline=40s", "retryPeriod=5s", "--outage=75s"}},
		{"", "client-go", []string{"leaseDuration=120s", "renewDeadline=80s", "retryPeriod=5s", "--outage=75s"}},
		{"error", "client-go", []string{"leaseDuration=300s", "renewDeadline=40s", "retryPeriod=5s", "--outage=75s"}},
	})
}
