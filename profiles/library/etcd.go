package library

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// etcd is clientv3's concurrency session and mutex.
type etcd struct {
	version
	election time.Duration // as configured; 0 before Read
	failover time.Duration // until a new leader is elected, where one is reckoned with
}

const etcdTick = 500 * time.Millisecond // of the expiry loop and of the keepalive sender

var etcdSheet = Sheet{
	Name: "etcd", Title: "etcd clientv3 concurrency session and mutex", Language: "go", Store: "etcd",
	Versions: []string{"3.7"}, Formats: []string{"go", "yaml", "json", "properties", "env", "toml", "flags"},
	Keys: []Key{
		{Name: "ttl", Unit: Seconds, Default: "60", Range: "whole seconds, at least ceil(1.5 x election-timeout), at most 9000000000", Outside: "below is raised silently, 0 keeps 60, above is an error", Round: "up", Doc: "concurrency.WithTTL", Other: []string{"session-ttl"}},
		{Name: "heartbeat-interval", Unit: Millis, Default: "100", Range: "above 0", Outside: "error", Doc: "of the server", Flag: "heartbeat-interval", Env: "ETCD_HEARTBEAT_INTERVAL", Other: []string{"ETCD_HEARTBEAT_INTERVAL"}},
		{Name: "election-timeout", Unit: Millis, Default: "1000", Range: "at least 5 x heartbeat-interval, at most 50000", Outside: "error", Doc: "of the server", Flag: "election-timeout", Env: "ETCD_ELECTION_TIMEOUT", Other: []string{"ETCD_ELECTION_TIMEOUT"}},
	},
	Renewal:         "a third of the ttl after the last response, resent every 500 ms until one comes",
	Call:            "500 ms from one send to the next; the stream is opened again while the lease lasts",
	Signal:          "Session.Done(), up to 1 s after the lease has run out",
	Fence:           "CreateRevision of the key",
	MutualExclusion: "the lease, while the holder stops by its own clock", NoDeadlock: "the lease", OwnerOnly: "the key hangs on the owner's lease; IsOwner() in a transaction",
	Atomic: "a transaction", Available: "a majority of members",
	Reentrant: "a session", Waiting: "Lock(ctx), a watch on the predecessor", Fair: "order of CreateRevision", Orders: true,
	Crash: "the lease; a leader change starts it anew", Outrun: "keepalives, as long as the process lives", JitterAtRelease: "the rest of the lease blocks", Failover: "the quorum; every lease starts anew", EnteredTwice: "the same session gets it again; else idempotency of the application",
	Facts: []Fact{
		{"a lease ends within 0.5 s and a commit after its ttl", "2 s: key gone after 2.18 to 2.38 s", "TestRealEtcd"},
		{"the least lease is 1.5 election timeouts, in whole seconds", "asked for 1 s: 2 s granted; 2 and 3 as asked; 9000000001 refused (etcd 3.7.3)", "TestRealEtcd"},
		{"a leader change starts a lease anew", "10 s, 5 left; 10 left after the leader moved", "TestRealEtcd"},
		{"concurrency.WithTTL of 0 and below keeps 60 s, without an error", "0 and -1: 60 s granted; 1: 2 s; 2 and 61 as asked (clientv3 3.7.3)", "TestRealEtcd"},
		{"election at least 5 heartbeats and at most 50 s", "500/100 taken, 499/100 and 50001/1000 refused", "TestRealEtcd"},
		{"a keep-alive is sent up to 0.5 s after it is due, by a sender that looks every 500 ms", "by hand: ttl 2 s, 1.00 s apart, a third is 0.67 s; a stop of 1.2 s that began 0.97 s after a response lost 3 of 3 leases (client 3.7.3)", ""},
		{"Done comes ttl after the last response, and up to 0.5 s later: the client looks every 500 ms", "ttl 3 s: 3.05 s; on a machine with eight times its load up to 4.0 s", "TestRealEtcd"},
	},
	Code: map[string]string{"go": etcdCode},
}

func (etcd) Name() string  { return "etcd" }
func (etcd) Sheet() *Sheet { return &etcdSheet }

// Traits: whole seconds, renewed at exactly a third, by a sender that looks
// every 500 ms.
func (e etcd) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Second, IntervalQuantum: time.Millisecond, MinTTL: 2 * time.Second, MaxTTL: 9_000_000_000 * time.Second,
		NoFixed: true, Ratio: 3 * calc.One, ExactRatio: true, RetryAfter: true, Late: etcdTick, Fencing: true}
}

// LeastCall is the time from one send to the next, which no option changes.
func (etcd) LeastCall(time.Duration) (least, usual time.Duration, why string) {
	return etcdTick, etcdTick, "a keep-alive without an answer is sent again after " + f(etcdTick)
}

// Granted is the ttl in force.
func (etcd) Granted(ttl time.Duration) time.Duration { return ttl }

// FreeMin is the ttl.
func (etcd) FreeMin(ttl time.Duration) time.Duration { return ttl }

// FreeMax adds one pass of the expiry loop. A leader that is lost just before
// the lease ends starts it anew: its successor gives it an election timeout and
// the whole ttl.
func (e etcd) FreeMax(ttl time.Duration) time.Duration {
	free := saturate(ttl, etcdTick)
	if e.failover > 0 {
		free = saturate(anew(free, e.failover), e.election)
	}
	return free
}

// TakeoverTerms says what a stated failover adds.
func (e etcd) TakeoverTerms() string {
	if e.failover == 0 {
		return ""
	}
	return "failover + election-timeout + 2 x (ttl + 0.5s): a leader lost just before the end, and the next one starts the lease anew"
}

// Loss is Session.Done(): a one-second loop looks at the last response.
func (etcd) Loss(ttl time.Duration) (time.Duration, bool) { return ttl + time.Second, true }

// Read raises the ttl as the server does, silently.
func (e etcd) Read(run *Running) {
	ttl, heartbeat, election := run.Bound("ttl"), run.Dur("heartbeat-interval"), run.Dur("election-timeout")
	e.election, e.failover = election, run.Setup.Failover.Value
	run.Library = e
	run.Setup.TTL = ttl
	run.set("heartbeat-interval", Millis.Format(heartbeat))
	run.set("election-timeout", Millis.Format(election))
	if lp601(run, heartbeat, election) {
		return
	}
	if !run.Given("ttl") && (run.Given("heartbeat-interval") || run.Given("election-timeout")) {
		return // the server's timers alone: no session is described
	}
	granted := ttl.Value
	if granted == 0 {
		granted = 60 * time.Second
	}
	least := etcdMinTTL(election, heartbeat)
	granted = max(granted, least)
	lp600(run, ttl.Value, granted, least)
	run.set("ttl", Seconds.Format(granted))
	run.HasLease = true
	run.Lease = calc.Lease{TTL: granted, Interval: granted / 3, Call: etcdTick, Spacing: etcdTick, Late: etcdTick}
}

// etcdMinTTL is the server's minLeaseTTL: ceil((3·ticks/2)·heartbeat) in whole
// seconds, with integer divisions as etcd has them.
func etcdMinTTL(election, heartbeat time.Duration) time.Duration {
	ticks := election / heartbeat
	least := (3 * ticks / 2) * heartbeat
	return calc.CeilTo(least, time.Second)
}

// Express rounds up to whole seconds.
func (e etcd) Express(ask Ask) ([]Setting, error) {
	ttl := calc.CeilTo(ask.Lease.TTL, time.Second)
	if ttl/3 <= etcdTick {
		return nil, fault.Usagef("etcd: a lease of %s is renewed every %s by a loop of %s", f(ttl), f(ttl/3), f(etcdTick)).Hintf("a lease of at least 2s")
	}
	out := []Setting{{"ttl", Seconds.Format(ttl), "lease TTL, whole seconds"}}
	timers := 0
	for _, key := range []string{"heartbeat-interval", "election-timeout"} {
		if v, given := ask.Given[key]; given {
			out = append(out, Setting{key, v.Text, "given"})
			timers++
		}
	}
	if rtt := ask.In.RTT.Value; timers == 0 && 10*rtt > time.Second { // the defaults are for one data centre
		heartbeat := wholeMillis(rtt)
		if least := etcdMinTTL(10*heartbeat, heartbeat); ttl < least {
			return nil, fault.Usagef("etcd: members %s apart raise a lease of %s to %s", f(rtt), f(ttl), f(least)).Hintf("a lease of at least %s", f(least))
		}
		out = append(out, Setting{"heartbeat-interval", Millis.Format(heartbeat), "a round trip"}, Setting{"election-timeout", Millis.Format(10 * heartbeat), "ten heartbeats"})
	}
	return out, nil
}

// etcdCode is the source file that emit writes.
const etcdCode = goHead + `
	"go.etcd.io/etcd/client/v3/concurrency"
)
` + goLimits + `
// {{.ID}}Session is the option of concurrency.NewSession.
func {{.ID}}Session() concurrency.SessionOption { return concurrency.WithTTL({{.Raw "ttl"}}) }
`
