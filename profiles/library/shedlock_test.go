package library

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// After a crash the lock is free lockAtMostFor later and taken at the next
// trigger (libs-redis, section 1), whoever says how far those are apart.
func TestShedLockPeriod(t *testing.T) {
	for _, period := range []string{"period=15m", "--period=15m"} {
		v := judged(t, "shedlock", "lockAtMostFor=8m", "--rtt=1ms", "--rto=23m", period)
		if got := v.Consequences.TakeoverWorst.Truncate(time.Second); got != 23*time.Minute {
			t.Errorf("%s: taken over after %s", period, got)
		}
		if severityOf(v, "LP102") != "error" && *v.Consequences.TakeoverWorst > 23*time.Minute {
			t.Errorf("%s: no LP102 at %s", period, *v.Consequences.TakeoverWorst)
		}
	}
	if v := judged(t, "shedlock", "lockAtMostFor=8m", "--rtt=1ms", "--rto=9m", "--period=15m"); severityOf(v, "LP102") != "error" {
		t.Error("an RTO of 9m is met")
	}
	// The file's own schedule is the nearer one.
	if v := judged(t, "shedlock", "lockAtMostFor=8m", "period=1m", "--period=15m"); v.Consequences.TakeoverWorst.Truncate(time.Minute) != 9*time.Minute {
		t.Errorf("taken over after %s", *v.Consequences.TakeoverWorst)
	}
}

// research/libs-redis.md 4: the takeover is lockAtMostFor and the schedule's
// period. Nobody says the period: it is not known, and meets no RTO; that the
// lease alone is longer than the RTO is known.
func TestShedLockWithoutPeriod(t *testing.T) {
	v := judged(t, "shedlock", "lockAtMostFor=14m", "--rto=20m")
	if c := v.Consequences; c.TakeoverWorst != nil || c.TakeoverClean != nil || *c.FreeMax != 14*time.Minute || severityOf(v, "LP102") != "" {
		t.Errorf("taken over after %v, %v", c.TakeoverWorst, v.Findings)
	}
	if !slices.ContainsFunc(v.NotChecked, func(line string) bool {
		return strings.Contains(line, "LP102") && strings.Contains(line, "--period")
	}) {
		t.Errorf("LP102 is said to be checked: %v", v.NotChecked)
	}
	if v := judged(t, "shedlock", "lockAtMostFor=14m", "--rto=13m"); severityOf(v, "LP102") != "error" {
		t.Error("a lease of 14m meets an RTO of 13m")
	}
	for _, known := range []string{"period=15m", "--period=15m", "--detect=15m"} {
		v := judged(t, "shedlock", "lockAtMostFor=14m", "--rto=20m", known)
		if got := *v.Consequences.TakeoverWorst; got != 29*time.Minute || severityOf(v, "LP102") != "error" {
			t.Errorf("%s: taken over after %s", known, got)
		}
	}
}

// A plan knows the period from the surroundings alone.
func TestShedLockPlannedPeriod(t *testing.T) {
	in := calc.Inputs{Hold: calc.Claim(time.Minute, "t"), Pause: calc.Claim(time.Second, "t"), Margin: calc.Claim(time.Second, "t"), RTO: calc.Claim(20*time.Minute, "t")}
	for period, want := range map[string]bool{"": false, "15m": true, "19m": false} {
		lib, err := Get("shedlock")
		if err != nil {
			t.Fatal(err)
		}
		given := Values{}
		if period != "" {
			given["period"] = Value{Text: period}
		}
		in.Library = Configured(lib, given)
		resolved, err := in.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		s := calc.Solve(resolved)
		if s.Solved != want || slices.Contains(s.Lacks, calc.LackDetect) != (period == "") {
			t.Errorf("period %q: solved %v, lacks %v", period, s.Solved, s.Lacks)
		}
		if worst, _, _ := s.Lease.Takeover(resolved.Library, resolved.Env()); want && worst != 16*time.Minute+2*time.Second {
			t.Errorf("period %q: taken over after %s", period, worst)
		}
	}
}

// The schedule stands beside the lock: 14 minutes and 45 from 15 past to the
// next hour.
func TestShedLockSchedule(t *testing.T) {
	lib, err := Get("shedlock")
	if err != nil {
		t.Fatal(err)
	}
	values, err := Parse(lib, "J.java", []byte("@Scheduled(cron = \"0 0,10,15 * * * *\")\n@SchedulerLock(name = \"a\", lockAtMostFor = \"14m\")\nvoid a() {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Consequences.TakeoverWorst; got == nil || got.Truncate(time.Second) != 59*time.Minute {
		t.Errorf("taken over after %v", got)
	}
}
