package library

import (
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// springIntegration is Spring Integration's RedisLockRegistry.
type springIntegration struct {
	version
	px
}

// pubSubLock is the lock type whose waiters are woken by a message.
const pubSubLock = "PUB_SUB_LOCK"

var springIntegrationSheet = Sheet{
	Name: "spring-integration", Title: "Spring Integration RedisLockRegistry", Language: "java", Store: "redis",
	Versions: []string{"6.5"}, Formats: []string{"java", "properties", "yaml", "json", "env", "toml"},
	Keys: []Key{
		{Name: "expireAfter", Unit: Millis, Default: "60000", Range: "not checked", Outside: "accepts", Round: "up", Doc: "the lease"},
		{Name: "idleBetweenTries", Unit: Millis, Default: "100", Round: "down", Doc: "between two tries, from 6.4 on"},
		{Name: "redisLockType", Unit: Word, Default: "SPIN_LOCK", Range: "SPIN_LOCK or PUB_SUB_LOCK", Doc: "how a waiter waits"},
		{Name: "renewalTaskScheduler", Unit: Switch, Default: "false", Doc: "whether one is set: without it nothing renews; from 6.4 on"},
		{Name: "spring.data.redis.timeout", Unit: SimpleTx, Default: "60s", Range: "above 0, below expireAfter / 3", Outside: "accepts; 0 is for ever", Round: "down", Doc: "Lettuce: one command, and the handshake of a new connection", Other: []string{"spring.redis.timeout", "commandTimeout"}},
		{Name: "spring.data.redis.connect-timeout", Unit: SimpleTx, Default: "10s", Round: "down", Doc: "Lettuce: one connect", Other: []string{"spring.redis.connect-timeout", "connectTimeout"}},
		{Name: "waitTime", Unit: Millis, Round: "down", Wait: true, Doc: "argument of tryLock"},
	},
	Renewal:         "with a scheduler: a third of expireAfter after the last one ended; an error is logged and tried again, \"not owner\" stops it silently",
	Call:            "spring.data.redis.timeout, 60 s by default; twice that for an unlock",
	Signal:          "none: unlock() throws",
	Fence:           "none",
	MutualExclusion: "the lease; lost with an unreplicated write at a failover", NoDeadlock: "expireAfter", OwnerOnly: "client id and scripts",
	Atomic: "a script", Available: "Redis, with its failover",
	Reentrant: "a local ReentrantLock", Waiting: "tryLock(wait): up to twice the wait, three times with PUB_SUB_LOCK", Fair: "nothing",
	Crash: "expireAfter; with PUB_SUB_LOCK up to twice that, or waitTime more", Outrun: "the renewal scheduler", JitterAtRelease: "the rest of expireAfter blocks", Failover: "nothing: WAIT, or a unique index", EnteredTwice: "re-entrant in a thread; else idempotency of the application",
	Facts: []Fact{
		{"tryLock waits twice: for the thread of its own process, then for Redis (LP542)", "tryLock(1 s) 0.2 s behind another thread: 1.90 s, of 2 s at worst (6.5.1)", "TestRealSpring"},
		{"the same holds for PUB_SUB_LOCK", "no: a message for a lock that another got starts the wait for Redis anew: 2.63 s, of 3 s at worst", "TestRealSpring"},
		{"PUB_SUB_LOCK notices a crash after up to two leases (LP543)", "2 s, asked for at 1.8 s: 3.81 s; SPIN_LOCK 2.01 s", "TestRealSpring"},
		{"a timed wait with PUB_SUB_LOCK notices a crash at its end only", "tryLock(1.5 s) after a lease of 1 s, asked for at 0.9 s: 2.42 s; SPIN_LOCK 1.00 s", "TestRealSpring"},
		{"an unlock takes one command", "no: UNLINK and then DEL: 1.42 s on a frozen server with a timeout of 0.7 s", "TestRealSpring"},
		{"a renewal that fails is tried again a third later", "as said: a lock of 6 s was held after the thaw", "TestRealSpring"},
		{"a timeout of 0 is none (LP541)", "as said: no return within 5 s", "TestRealSpring"},
		{"Spring Boot's command timeout is 60 s when nothing is said, and spring.data.redis.timeout when it is", "as said, from properties, YAML and environment (Boot 3.5.5)", "TestRealSpring"},
		{"the legal durations, leases and lock types", "as said, at 35 edges; 1m30s, 1.5s and 2w are refused", "TestRealSpring"},
		{"expireAfter and idleBetweenTries are taken as given", "as said (6.5.1)", "TestRealJVM"},
	},
	Code: map[string]string{"java": springIntegrationCode},
}

func (springIntegration) Name() string  { return "spring-integration" }
func (springIntegration) Sheet() *Sheet { return &springIntegrationSheet }

// Traits: with a scheduler it renews at a third.
func (s springIntegration) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond, Ratio: 3 * calc.One, AfterCall: true, Silent: true, NoRenewed: s.before(6, 4)}
}

// Read reckons with the whole command timeout of the client underneath.
func (s springIntegration) Read(run *Running) {
	run.Library = s
	ttl, command := run.Bound("expireAfter"), run.Bound("spring.data.redis.timeout")
	idle, wait := run.Dur("idleBetweenTries"), run.Bound("waitTime")
	kind := run.Word("redisLockType", "SPIN_LOCK", pubSubLock)
	if s.before(6, 4) {
		idle = 100 * time.Millisecond
	}
	run.set("expireAfter", Millis.Format(ttl.Value))
	run.set("idleBetweenTries", Millis.Format(idle))
	run.set("spring.data.redis.timeout", f(command.Value))
	run.Setup.TTL = ttl
	call := command.Value
	if lp541(run, command.Value) {
		call, run.Own.Endless = ttl.Value, true
	} else {
		run.Setup.Command, run.Setup.RenewTimeout, run.Setup.Unlock = command, command, command
		run.Setup.Unlock.Value = saturate(call, call) // UNLINK, and DEL when that fails
	}
	run.Setup.RetryDelay = calc.Compute(idle, "idleBetweenTries")
	run.Detect = run.polled(idle, 0, "idleBetweenTries and a try")
	if wait.Known {
		run.Setup.Wait = wait
	}
	if w := run.Setup.Wait; w.Known {
		acquire, sum := saturate(calc.Chain(w.Value, 1, idle), call), "twice waitTime, a pause and a command"
		if kind == pubSubLock {
			acquire, sum = saturate(calc.Chain(w.Value, 2, 0), calc.Chain(call, 1, 0)), "three times waitTime and two commands"
		}
		if !run.Own.Endless {
			run.Own.Acquire = &acquire
		}
		lp542(run, acquire, sum)
	}
	if kind == pubSubLock {
		pubSubDetect(run, ttl.Value)
	}
	lp520(run, "expireAfter", ttl.Value)
	run.HasLease = true
	run.Lease = calc.Lease{TTL: ttl.Value}
	if lp540(run, s) {
		run.NoRenewer = "no renewalTaskScheduler"
		run.lacks("work outruns the lease", "no renewalTaskScheduler")
		return
	}
	interval := (ttl.Value / 3).Truncate(time.Millisecond)
	run.Lease = calc.Lease{TTL: ttl.Value, Interval: interval, Call: call, Spacing: saturate(interval, call), AfterCall: true}
}

// Express switches the scheduler on and keeps a command within the renew
// call.
func (s springIntegration) Express(ask Ask) ([]Setting, error) {
	out := []Setting{{"expireAfter", Millis.Up(ask.Lease.TTL), "lease TTL"}}
	command := ask.Attempt
	if ask.Lease.Renews() {
		command = callAfterCall(ask)
		if command < ask.Lease.Call && !ask.Tight {
			return nil, fault.Usagef("spring-integration: a lease of %s leaves %s for a renewal, planned are %s", f(ask.Lease.TTL), f(max(0, command)), f(ask.Lease.Call)).
				Hintf("a longer TTL")
		}
		out = append(out, Setting{"renewalTaskScheduler", "true", "renews every third"})
	} else {
		out = append(out, Setting{"renewalTaskScheduler", "false", "no renewal"})
	}
	if ask.Wait > 0 {
		idle := pollEvery(ask)
		if s.before(6, 4) {
			idle = 100 * time.Millisecond
		} else {
			out = append(out, Setting{"idleBetweenTries", Millis.Format(idle), "a tenth of the wait, at most 100 ms"})
		}
		// tryLock waits twice and then for one command, which fits into a wait.
		command = min(command, (ask.Wait-idle)/3)
		wait := (ask.Wait - command - idle) / 2
		if wait < time.Millisecond {
			return nil, fault.Usagef("spring-integration: a wait of %s is too short: tryLock may take twice its argument and a command", f(ask.Wait)).Hintf("a longer --deadline")
		}
		out = append(out, Setting{"waitTime", Millis.Down(wait), "tryLock may take twice this and a command"})
	}
	if command < max(ask.In.RTT.Value, time.Millisecond) {
		return nil, fault.Usagef("spring-integration: a command of %s is shorter than a round trip of %s", f(max(0, command)), f(ask.In.RTT.Value)).
			Hintf("a longer TTL, or --failures %d", max(0, ask.In.Failures-1))
	}
	return append(out, Setting{"spring.data.redis.timeout", SimpleTx.Down(command), "one command; 60 s by default"},
		Setting{"spring.data.redis.connect-timeout", SimpleTx.Down(max(command, time.Millisecond)), "one connect"}), nil
}

// springIntegrationCode is the source file that emit writes.
const springIntegrationCode = `package locks;

import java.time.Duration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
{{- if eq (.Raw "renewalTaskScheduler") "true"}}
import org.springframework.scheduling.TaskScheduler;
{{- end}}

public final class {{.ID}}Lock {
` + javaLimits + `
    /** spring.data.redis.timeout of the client underneath, ms: 60 s by default. */
    public static final long COMMAND_TIMEOUT_MS = {{.Ms "spring.data.redis.timeout"}}L;
{{- if .Has "waitTime"}}
    /** Argument of tryLock, ms: it may take twice as long. */
    public static final long WAIT_TIME_MS = {{.Ms "waitTime"}}L;
{{- end}}

    private {{.ID}}Lock() {}
{{if eq (.Raw "renewalTaskScheduler") "true"}}
    public static RedisLockRegistry registry(RedisConnectionFactory factory, String key, TaskScheduler scheduler) {
{{- else}}
    public static RedisLockRegistry registry(RedisConnectionFactory factory, String key) {
{{- end}}
        RedisLockRegistry registry = new RedisLockRegistry(factory, key, {{.Ms "expireAfter"}}L);
{{- if and (.Has "idleBetweenTries") (not (.Before 6 4))}}
        registry.setIdleBetweenTries(Duration.ofMillis({{.Ms "idleBetweenTries"}}));
{{- end}}
{{- if eq (.Raw "renewalTaskScheduler") "true"}}
        registry.setRenewalTaskScheduler(scheduler);
{{- end}}
        return registry;
    }
}
`
