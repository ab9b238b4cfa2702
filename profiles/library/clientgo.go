package library

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/rule"
)

// clientGo is the leader election of Kubernetes' client-go, which
// controller-runtime and the control plane's components wrap.
type clientGo struct {
	version
	renew, retry time.Duration // as configured; 0 before Read
}

// jitterTenths is client-go's JitterFactor, a follower polls every 1 to 2.2 retry
// periods.
const (
	jitterTenths = 12
	pollTenths   = 22
)

var clientGoSheet = Sheet{
	Name: "client-go", Title: "Kubernetes leader election (client-go, controller-runtime, component flags)", Language: "go", Store: "kubernetes",
	Versions: []string{"0.37"},
	Formats:  []string{"yaml", "flags", "go", "json", "properties", "env", "toml"}, OwnFile: "keys of a Kubernetes component's configuration, the component loads them",
	Keys: []Key{
		{Name: "leaseDuration", Unit: GoText, Default: "15s", Range: "whole seconds, at least 1s, above renewDeadline", Outside: "error; fractions are cut off silently", Round: "up",
			Doc: "how long a silent leader keeps the lease", Flag: "leader-elect-lease-duration", Other: []string{"leader-elect-lease-duration", "LeaseDuration"}},
		{Name: "renewDeadline", Unit: GoText, Default: "10s", Range: "above 1.2 x retryPeriod, below leaseDuration", Outside: "error", Round: "down",
			Doc: "how long the leader tries to renew before it gives up", Flag: "leader-elect-renew-deadline", Other: []string{"leader-elect-renew-deadline", "RenewDeadline"}},
		{Name: "retryPeriod", Unit: GoText, Default: "2s", Range: "above 0", Outside: "error", Round: "down",
			Doc: "between two tries", Flag: "leader-elect-retry-period", Other: []string{"leader-elect-retry-period", "RetryPeriod"}},
		{Name: "clientTimeout", Unit: GoText, Range: "at most renewDeadline / 2", Outside: "accepts", Round: "down", App: true,
			Doc: "rest.Config.Timeout of the client; max(1s, renewDeadline/2) where controller-runtime or NewFromKubeconfig makes it"},
		{Name: "releaseOnCancel", Unit: Switch, Default: "false", App: true, Doc: "give the lease up at a clean stop; without it a clean takeover is the one after a crash", Other: []string{"ReleaseOnCancel", "LeaderElectionReleaseOnCancel"}},
		{Name: "resourceLock", Unit: Word, Default: "leases", Range: "leases, endpointsleases, configmapsleases, endpoints, configmaps", Outside: "error",
			Doc: "what keeps the record; endpoints and configmaps before 0.24, with leases beside them before 0.28", Flag: "leader-elect-resource-lock", Other: []string{"leader-elect-resource-lock", "LeaderElectionResourceLock"}},
	},
	Renewal:         "every retryPeriod; while it fails again every retryPeriod, until renewDeadline has passed",
	Call:            "clientTimeout: max(1s, renewDeadline/2)",
	Signal:          "the context of OnStartedLeading ends at most retryPeriod + renewDeadline after the last success",
	Fence:           "none (leaseTransitions counts holders, nothing enforces it)",
	MutualExclusion: "the lease, judged by each observer's own monotonic clock", NoDeadlock: "leaseDuration", OwnerOnly: "holderIdentity with optimistic locking",
	Atomic: "resourceVersion of the Lease", Available: "the API server and its etcd quorum",
	Reentrant: "the same identity", Waiting: "polling every 1 to 2.2 retryPeriod, without a limit", Fair: "nothing",
	Crash: "leaseDuration", Outrun: "renewals; the process must exit when they stop", JitterAtRelease: "leaseDuration", Failover: "etcd's quorum; the tries within renewDeadline", EnteredTwice: "nothing: idempotency of the application",
	Facts: []Fact{
		{"a leader stops retryPeriod + renewDeadline after its last success", "renewDeadline 2 s, retryPeriod 1 s: 3000 ms", "TestRealClientGo"},
		{"the renew deadline ends a call that hangs, whatever the client's timeout", "the same with a client timeout of 120 s against an API server that never answers: 3003 ms", "TestRealClientGo"},
		{"a follower leads between leaseDuration and 4.4 retry periods more after the last renewal", "leaseDuration 2 s, retryPeriod 300 ms, 8 elections: 2.09 to 3.00 s of at most 3.32 s", "TestRealClientGo"},
		{"the record holds whole seconds", "4.9 s is stored as 4", "TestRealClientGo"},
		{"renewDeadline must be above 1.2 x retryPeriod, leaseDuration above renewDeadline", "as said, at 13 edges", "TestRealClientGo"},
		{"leases alone keep the record (LP645)", "0.37.2 refuses endpoints, configmaps, endpointsleases and configmapsleases", "TestRealClientGo"},
	},
	Code: map[string]string{"go": clientGoCode},
}

func (clientGo) Name() string  { return "client-go" }
func (clientGo) Sheet() *Sheet { return &clientGoSheet }
func (c clientGo) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Second, IntervalQuantum: time.Millisecond, MinTTL: 2 * time.Second, NoFixed: true}
}

// Granted cuts the lease to the whole seconds that the record holds.
func (clientGo) Granted(ttl time.Duration) time.Duration { return ttl.Truncate(time.Second) }

// FreeMin is the lease after an observer saw the last change.
func (c clientGo) FreeMin(ttl time.Duration) time.Duration { return c.Granted(ttl) }

// FreeMax adds two of a follower's longest polls: one to see the last
// renewal, one to act on its end. Before a configuration is read a retry
// period of a fifth of the lease is reckoned with, the longest that Express
// writes.
func (c clientGo) FreeMax(ttl time.Duration) time.Duration {
	retry := c.retry
	if retry == 0 {
		retry = ttl / 5
	}
	return c.Granted(ttl) + 2*poll(retry)
}

// Notice is a follower's poll.
func (c clientGo) Notice(ttl time.Duration) time.Duration {
	if c.retry == 0 {
		return poll(ttl / 5)
	}
	return poll(c.retry)
}

// Loss is when the leader gives up by itself.
func (c clientGo) Loss(ttl time.Duration) (time.Duration, bool) {
	if c.retry == 0 {
		return ttl * 4 / 5, true
	}
	return c.retry + c.renew, true
}

func poll(retry time.Duration) time.Duration { return retry * pollTenths / 10 }

// Read reckons with client-go's own arithmetic: the tries that fit into the
// renew deadline are what an outage may take.
func (c clientGo) Read(run *Running) {
	lease, renew, retry := run.Bound("leaseDuration"), run.Bound("renewDeadline"), run.Bound("retryPeriod")
	c.renew, c.retry = renew.Value, retry.Value
	run.Library = c
	asGo(run, "leaseDuration", "renewDeadline", "retryPeriod")
	run.Setup.TTL, run.Setup.Renew = lease, retry
	granted := c.Granted(lease.Value)
	run.set("leaseDuration", GoText.Format(granted))
	run.set("renewDeadline", GoText.Format(renew.Value))
	run.set("retryPeriod", GoText.Format(retry.Value))
	call := run.Bound("clientTimeout")
	if !call.Known {
		call = calc.Compute(max(time.Second, renew.Value/2), "max(1s, renewDeadline/2)")
	}
	run.set("clientTimeout", GoText.Format(call.Value))
	if call.Value == 0 { // none: only the renew deadline ends a call
		call.Value = renew.Value
	}
	run.Setup.RenewTimeout = call
	run.Detect = calc.Compute(0, "the polls are in the lease's lag")
	if run.Given("resourceLock") {
		run.set("resourceLock", run.Text("resourceLock"))
	}
	lp645(run, c)
	lp640(run)
	lp641(run)
	lp642(run, granted)
	if granted <= 0 || retry.Value <= 0 || renew.Value <= 0 {
		return
	}
	lp643(run, granted)
	lp644(run, call)
	run.HasLease = true
	run.Lease = calc.Lease{TTL: granted, Interval: retry.Value, Call: min(call.Value, renew.Value), Spacing: retry.Value}
	tries := int(renew.Value/retry.Value) - 1
	if call.Value >= renew.Value { // one call that hangs is all that fits
		tries = 0
	}
	tolerance := time.Duration(max(0, tries)) * retry.Value
	pause := max(0, min(renew.Value, granted-retry.Value)-run.In.Margin.Value)
	// The call is bounded by the renew deadline, which LP641 and LP644 watch,
	// and a leader gives up in time by LP643.
	run.Skip = append(run.Skip, "LP108", "LP112")
	if unanswered(run) {
		tries, tolerance, pause = -1, 0, 0
	}
	run.Survives.Failures, run.Survives.Outage, run.Survives.Pause = &tries, &tolerance, &pause
	run.Survives.Longer = c.longer(run)
	skew := max(0, granted-renew.Value)
	run.Own.Skew, run.Survives.Skew = &skew, &skew
	clean := poll(retry.Value) + run.In.RTT.Value
	if !run.Bool("releaseOnCancel") { // a clean stop releases nothing: followers wait the lease out
		clean = c.FreeMax(granted) + run.In.RTT.Value
	}
	run.Own.Clean = &clean
}

// unanswered reports whether every call is cut off before its answer can be
// there (R2), by the client's timeout or by the renew deadline.
func unanswered(run *Running) bool {
	call, rtt, retry := run.Lease.Call, run.In.RTT, run.Setup.Renew.Value
	if !rtt.Known || rtt.Value <= call {
		return false
	}
	least := f((saturate(retry, saturate(rtt.Value, rtt.Value)) + run.In.Pause.Value).Truncate(time.Second) + time.Second)
	run.sayLimit(rule.LP108, "clientTimeout", call, rtt.Value,
		"every call is cut off after "+f(call)+", a round trip takes "+f(rtt.Value)+": no renewal is ever confirmed",
		"clientTimeout "+f(rtt.Value)+" or more, a renewDeadline of twice that, "+f(2*rtt.Value)+", and a leaseDuration of at least "+least)
	return true
}

// Express splits the lease so that the leader stops a pause and a margin
// before the end, with k + 2 retry periods in the renew deadline.
func (clientGo) Express(ask Ask) ([]Setting, error) {
	lease := calc.CeilTo(ask.Lease.TTL, time.Second)
	room := lease - ask.In.Pause.Value - ask.In.Margin.Value - time.Millisecond
	retry := min(room/time.Duration(ask.In.Failures+3), lease/5)
	retry = tidy(retry)
	renew := tidy(room - retry)
	if retry <= 0 || renew*10 <= retry*jitterTenths || renew < time.Second {
		return nil, fault.Usagef("client-go: a lease of %s leaves no renew deadline beside a pause of %s", f(lease), f(ask.In.Pause.Value)).
			Hintf("a longer lease: --rto higher, or less --pause")
	}
	return []Setting{
		{"leaseDuration", GoText.Format(lease), "lease TTL, whole seconds"},
		{"renewDeadline", GoText.Format(renew), "stops a pause and a margin before the lease ends"},
		{"retryPeriod", GoText.Format(retry), "tolerated failures + 2 tries (k + 2) in the renew deadline"},
		{"clientTimeout", GoText.Format(max(time.Second, renew/2)), "two calls in the renew deadline"},
		{"releaseOnCancel", "true", "a clean stop frees the lease at once"},
	}, nil
}

// tidy rounds down to a step that people write: 100 ms from 1 s on, else 1 ms.
func tidy(d time.Duration) time.Duration {
	if d >= time.Second {
		return d.Truncate(100 * time.Millisecond)
	}
	return d.Truncate(time.Millisecond)
}

// place is the leaderElection block of a component's configuration.
func (clientGo) place(key string, _ *Running) []string { return []string{"leaderElection", key} }

// clientGoCode is the source file that emit writes.
const clientGoCode = goHead + `
	"k8s.io/client-go/tools/leaderelection"
)
` + goLimits + `
// {{.ID}}ClientTimeout is rest.Config.Timeout of the elector's client.
const {{.ID}}ClientTimeout = {{.Go "clientTimeout"}}

// {{.ID}}Election sets the timing of an election.
func {{.ID}}Election(c *leaderelection.LeaderElectionConfig) {
	c.LeaseDuration = {{.Go "leaseDuration"}}
	c.RenewDeadline = {{.Go "renewDeadline"}}
	c.RetryPeriod = {{.Go "retryPeriod"}}
	c.ReleaseOnCancel = {{.Raw "releaseOnCancel"}}
}
`
