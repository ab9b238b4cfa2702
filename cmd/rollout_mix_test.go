package cmd

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/plan"
)

// rolledOut is the rollout of one plan to another, as JSON says it.
func rolledOut(t *testing.T, old, new string) routeDoc {
	t.Helper()
	code, out, stderr := run("", "rollout", planFile(t, old), planFile(t, new), "-o", "json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var doc rolloutDoc
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	r := doc.Services[0]
	for i, s := range r.Steps {
		for _, check := range s.After.Checks {
			if code, out, stderr := run("", strings.Fields(check)[1:]...); code != 0 {
				t.Errorf("step %d: %s\nexit %d: %s%s", i+1, check, code, stderr, out)
			}
		}
	}
	return r
}

func stepNames(r routeDoc) string {
	var out []string
	for _, s := range r.Steps {
		out = append(out, s.Part)
	}
	return strings.Join(out, ", ")
}

// A table for a ticket says what the terminal says: what it is worth, and what
// to wait for. 10 + 1.5 + 0.7 s are 13 s of a fixed lease, which allows work
// until 10.8 s; its last write lands 2.2 s later.
func TestRolloutTablesSayWhenToGoOn(t *testing.T) {
	old, new := planFile(t, "p99: 5s, p999: 10s, margin: 700ms, queue-sla: 1h"), planFile(t, "mode: renewed, p99: 10s, p999: 20s, margin: 700ms, queue-sla: 1h")
	const wait, worth = "wait 13s: a hold that began before the step may last 10.8s, and its last write land 2.2s later", "3 steps, safe in every mix; finish each everywhere before the next"
	_, markdown, _ := run("", "rollout", old, new, "-o", "markdown")
	if strings.Count(markdown, wait) != 2 || !strings.HasPrefix(markdown, "**stock**: "+worth+"\n") {
		t.Errorf("markdown:\n%s", markdown)
	}
	_, text, _ := run("", "rollout", old, new, "-o", "csv")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 4 || rows[1][1] != worth || rows[1][len(rows[1])-1] != wait || rows[3][len(rows[3])-1] != "" {
		t.Errorf("%q", rows)
	}
	same, _, _ := run("", "rollout", old, old, "-o", "csv")
	if _, text, _ := run("", "rollout", old, old, "-o", "csv"); same != 0 || !strings.Contains(text, "stock,nothing to roll out,") {
		t.Errorf("exit %d: %s", same, text)
	}
	_, unsafe, _ := run("", "rollout", planFile(t, "p999: 800ms, margin: 2s"), planFile(t, "p999: 800ms, margin: 700ms"), "-o", "markdown")
	if !strings.Contains(unsafe, "to an unsafe state") || !strings.Contains(unsafe, "| error | LP401 |") {
		t.Errorf("markdown:\n%s", unsafe)
	}
}

// A renewed lease's stop-work point of 725 ms on a fixed lease would end every
// hold there, which lasts up to 10 s; and renewals that come every 10 s on a
// shorter one would let it stand still.
func TestRolloutCutsNoWork(t *testing.T) {
	r := rolledOut(t, "mode: fixed, p99: 5s, p999: 10s, rtt: 5ms, queue-sla: 1h", "mode: renewed, p99: 1s, p999: 4s, rtt: 5ms, queue-sla: 1h")
	if got := stepNames(r); got != "renewals, work limits, lease TTL" {
		t.Errorf("steps %q", got)
	}
	for i, s := range r.Steps {
		for _, check := range s.After.Checks {
			if !strings.Contains(check, "--max-hold ") {
				t.Errorf("step %d: no --max-hold: LP116 cannot speak: %s", i+1, check)
			}
		}
	}
	// The state that was between the steps once.
	code, out, _ := run("", "check", "--ttl", "11s", "--max-hold", "420ms", "--stop-work", "420ms", "--p999", "10s", "--pause", "100ms", "--rtt", "5ms", "--fencing", "yes", "--wait", "60s")
	if code != 3 || !strings.Contains(out, "LP116") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// Where a library ties the renewals to the TTL, each alone is unsafe beside the
// other's limits, and the plans themselves are not.
func TestRolloutOfATiedLibrary(t *testing.T) {
	const renewed, fixed = "library: redisson, mode: renewed, p99: 5s, p999: 20s, rtt: 5ms, queue-sla: 10m", "library: redisson, mode: fixed, p99: 5s, p999: 20s, rtt: 5ms, queue-sla: 10m"
	for _, pair := range [][2]string{{renewed, fixed}, {fixed, renewed}} {
		r := rolledOut(t, pair[0], pair[1])
		if got := stepNames(r); got != "lease and work limits" || !r.Safe || !strings.Contains(r.Steps[0].How, "in one restart") {
			t.Errorf("safe %v, steps %q", r.Safe, got)
		}
	}
	for _, other := range []string{"client-go", "etcd", "consul"} {
		lib := strings.Replace(renewed, "redisson", other, 1)
		if r := rolledOut(t, lib, fixed); !r.Safe || stepNames(r) != "work limits, take both locks, drop the old lock" {
			t.Errorf("from %s: safe %v, steps %q", other, r.Safe, stepNames(r))
		}
		if r := rolledOut(t, fixed, lib); !r.Safe || stepNames(r) != "take both locks, drop the old lock, work limits" {
			t.Errorf("to %s: safe %v, steps %q", other, r.Safe, stepNames(r))
		}
	}
}

// A6: what the second acquire takes comes off a fixed first lease. Of a fixed
// and a renewed one the renewed is taken first; of two fixed ones the old one is
// made longer first, or the answer is no.
func TestRolloutOfTwoLocks(t *testing.T) {
	const short = "p99: 500ms, p999: 800ms, rtt: 5ms, deadline: 20s, work: 900ms, reply: 10ms, rto: 60s"
	r := rolledOut(t, short, "library: zookeeper, p99: 10s, p999: 20s, rtt: 5ms, queue-sla: 10m, rto: 60s")
	first := r.Steps[0]
	if first.Part != "take both locks" || first.After.Locks[0].Lock != "zookeeper" || first.After.Locks[1].StopWork != plan.Seconds(895*time.Millisecond) ||
		!strings.Contains(first.How, "895ms after the acquire of generic was sent") {
		t.Errorf("%+v", first)
	}
	// 800 + 105 + 1500 + 105 ms are 2.51 s: a lease of 2.6 s leaves 195 ms.
	r = rolledOut(t, short, "library: shedlock, detect: 105ms, "+short)
	if got := stepNames(r); got != "lease TTL, work limits, take both locks, drop the old lock" && got != "lease TTL, work limits, take both locks, drop the old lock, acquire wait" {
		t.Errorf("steps %q", got)
	}
	both := r.Steps[2]
	if p := both.After.Patience; p == nil || *p != plan.Seconds(195*time.Millisecond) || !strings.Contains(both.How, "Whoever waits longer than 195ms for shedlock gives both up and starts anew") ||
		!strings.Contains(both.After.Checks[0], "--acquire-spent 195ms") {
		t.Errorf("%+v", both)
	}
	// 2.51 s, a margin and a round trip take over in 2.62 s.
	tight := strings.Replace(short, "rto: 60s", "rto: 2.615s", 1)
	code, out, stderr := run("", "rollout", planFile(t, tight), planFile(t, "library: shedlock, detect: 105ms, "+tight))
	if code != 3 || !strings.Contains(out, "no order of steps is safe") || !strings.Contains(stderr, "A6") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
}

// redsync takes a hundredth off its own lease; the clocks run no worse for the
// other lock.
func TestRolloutOfALibrarysOwnDrift(t *testing.T) {
	const in = "p99: 500ms, p999: 800ms, rtt: 5ms, deadline: 20s, work: 900ms, reply: 10ms, rto: 60s"
	for _, pair := range [][2]string{{"library: redsync, " + in, in}, {in, "library: redsync, " + in}} {
		if r := rolledOut(t, pair[0], pair[1]); !r.Safe {
			t.Errorf("%v: %+v", pair, r.Findings)
		}
		old, new := plannedJSON(t, planFile(t, pair[0])), plannedJSON(t, planFile(t, pair[1]))
		if code, out, stderr := run("", "rollout", old, new); code != 0 || !strings.Contains(out, "safe in every mix") {
			t.Errorf("as JSON: exit %d: %s%s", code, out, stderr)
		}
	}
	// A drift that was given is a fact of the clocks, and counts for both.
	code, out, _ := run("", "rollout", planFile(t, in+", drift: 0.05"), planFile(t, "library: redisson, "+in))
	if code != 3 || !strings.Contains(out, "the new state is unsafe by itself") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// A plan and its own JSON are one state: a renewed lease is as late, tries again
// as soon, and ends with its first failure, in both.
func TestRolloutOfAPlanToItsOwnJSON(t *testing.T) {
	for _, lib := range []string{"etcd", "rueidislock, failures: 0", "consul", "redisson", "redisson@3.43, failures: 0", "redsync", "generic, retry-after: 200ms"} {
		file := planFile(t, "library: "+lib+", mode: renewed, p99: 5s, p999: 20s, rtt: 5ms")
		if code, out, stderr := run("", "rollout", file, plannedJSON(t, file)); code != 0 || out != "stock: nothing to roll out\n" {
			t.Errorf("%s: exit %d: %s%s", lib, code, out, stderr)
		}
	}
}
