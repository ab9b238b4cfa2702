package library

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// redisson is Redisson's RLock: a watchdog that renews every third of its
// timeout while no lease time is given.
type redisson struct {
	version
	px
	dead   time.Duration // that a waiter which died keeps its place in a fair lock
	chosen bool          // dead by emit: nobody fixed it
	fenced bool          // the lock object is an RFencedLock
}

var redissonSheet = Sheet{
	Name: "redisson", Title: "Redisson RLock", Language: "java", Store: "redis",
	Versions: []string{"3.43", "3.47", "3.52", "4.2"}, Formats: []string{"yaml", "java", "properties", "json", "env", "toml"}, OwnFile: "keys of Redisson's own file, Config.fromYAML loads it",
	Keys: []Key{
		{Name: "lockWatchdogTimeout", Unit: Millis, Default: "30000", Range: "not checked; below 1000 the timer wheel is too coarse", Outside: "accepts", Round: "up", Doc: "the lease of a lock without leaseTime; renewed every third of it"},
		{Name: "timeout", Unit: Millis, Int: true, Default: "3000", Range: "not checked", Outside: "accepts", Round: "down", Doc: "reply to one command, counted from when it was written; also to the first PING of a connection, which a cold JVM may miss below 100 ms"},
		{Name: "retryAttempts", Unit: Count, Range: "at least 0, below 2147483647", Outside: "error", Doc: "resends of one command; default 3 up to 3.47, 4 from 3.48 on"},
		{Name: "retryDelay", Unit: Word, Range: "a delay strategy, from 3.48 on; ConstantDelay in YAML from 4.0 on", Outside: "error", Round: "down", Doc: "between two sends"},
		{Name: "retryInterval", Unit: Millis, Int: true, Range: "up to 3.52; the loader of 4.x does not know the name", Outside: "error", Round: "down", Doc: "between two sends; default 1500 up to 3.47"},
		{Name: "connectTimeout", Unit: Millis, Int: true, Default: "10000", Doc: "TCP connect"},
		{Name: "idleConnectionTimeout", Unit: Millis, Int: true, Default: "10000", Doc: "an idle connection above the minimum is closed after it, one of the minimum never"},
		{Name: "pingConnectionInterval", Unit: Millis, Int: true, Default: "30000", Doc: "a PING on each connection, which keeps an idle one alive in a firewall; 0 is off, the default before 3.13.6"},
		{Name: "subscriptionTimeout", Unit: Millis, Int: true, Default: "7500", Doc: "to subscribe to the unlock channel, from 3.24 on"},
		{Name: "connectionMinimumIdleSize", Unit: Count, Default: "24", Doc: "connections kept", Other: []string{"masterConnectionMinimumIdleSize"}},
		{Name: "connectionPoolSize", Unit: Count, Default: "64", Doc: "connections at most", Other: []string{"masterConnectionPoolSize"}},
		{Name: "slavesSyncTimeout", Unit: Millis, Default: "1000", Doc: "WAIT for replicas, in modes with replicas, from 3.22 on"},
		{Name: "fairLockWaitTimeout", Unit: Millis, Default: "300000", Doc: "how long a waiter that died keeps its place in a fair lock, if it waited in lock(); from 3.46 on, before that 5 min for ever"},
		{Name: "lockWatchdogBatchSize", Unit: Count, Default: "100", Doc: "locks in one renewal, from 3.44 on"},
		{Name: "leaseTime", Unit: Millis, Signed: true, Round: "up", App: true, Doc: "argument of lock and tryLock: above 0 it switches the watchdog off"},
		{Name: "waitTime", Unit: Millis, Round: "down", App: true, Wait: true, Doc: "argument of tryLock"},
		{Name: "lockType", Unit: Word, Default: "plain", Range: "plain, fair, fenced, spin, read", App: true, Doc: "which lock object"},
		{Name: "mode", Unit: Word, Default: "single", Range: "single, sentinel, cluster, replicated, masterSlave", Classes: []string{"ServerConfig", "ServersConfig"}, App: true, Doc: "which mode block"},
		{Name: strangeKeys, Unit: Word, App: true, Found: true, Doc: "check finds them: keys of Redisson's own file that the version does not have, with their lines"},
		{Name: springDefault, Unit: Word, App: true, Found: true, Doc: "check finds it: a placeholder of Redisson's own file in Spring's spelling"},
		{Name: springText, Unit: Word, Range: "placeholders as ${NAME:default}", App: true, Doc: "Redisson's YAML nested in an application.yaml: Spring resolves its placeholders"},
	},
	Renewal:         "a third of the watchdog after the last pass ended; from 3.44 on a failed pass is tried again a third later, before that never",
	Call:            "(retryAttempts + 1) x timeout + the delays between; each timer up to 100 ms late; with replicas each timeout + slavesSyncTimeout, and for a try that no replica confirms an undo as long",
	Signal:          "none: a log line, and unlock() throws",
	Fence:           "RFencedLock from 3.19 on; a plain RLock has none",
	MutualExclusion: "the lease, while the watchdog reaches the server; lost with an unreplicated write at a failover", NoDeadlock: "lockWatchdogTimeout or leaseTime", OwnerOnly: "client id and thread id in the Lua script",
	Atomic: "Lua scripts", Available: "Redis, with its failover",
	Reentrant: "RLock, a thread", Waiting: "tryLock(waitTime), woken by the release", Fair: "getFairLock", Fenced: "lockType=fenced", InOrder: "lockType=fair",
	Crash: "lockWatchdogTimeout or leaseTime", Outrun: "the watchdog; with leaseTime nothing", JitterAtRelease: "the rest of the lease blocks", Failover: "WAIT for replicas (checkLockSyncedSlaves); else a unique index", EnteredTwice: "re-entrant in a thread; else idempotency of the application",
	Facts: []Fact{
		{"one command with 200 ms, 3 retries, 200 ms between takes 1400 ms, not 800", "2.01 to 2.08 s on a frozen server: 1400 ms, and each of the seven timers up to a tick of 100 ms late (C1, C2, LP108, LP303 and LP502 reckon with the ticks)", "TestRealRedissonFrozen"},
		{"a lock script is not resent in single mode", "tryLock with a timeout of 200 ms failed after 256 to 281 ms", "TestRealRedissonFrozen"},
		{"before 3.44 the first failed renewal is the last", "3.43.0: lock lost; 3.47.0 and 4.2.0: renewed after the thaw", "TestRealRedissonWatchdog"},
		{"connections of the minimum are never closed for being idle, and a ping keeps every one alive (LP310)", "by hand: idleConnectionTimeout 2 s, ping off: CLIENT LIST showed 12 s idle; with a ping every 2 s at most 2 s (3.47.0)", ""},
		{"4.x does not load retryInterval; before 4.0 no ConstantDelay in YAML; before 3.48 no retryDelay", "as said, by 3.43.0, 3.47.0, 3.52.0 and 4.2.0", "TestRealRedisson"},
		{"a text nested in an application.yaml means what Redisson's own file means", "no: Spring resolves ${X:-30000} first, as -30000 (LP505); everything else as said (Boot 3.5.5, starter 3.52.0)", "TestRealSpring"},
		{"in its own file Redisson fills in ${X:-30000} alone (LP505)", "${X:30000} is refused as a number and taken as a text, by all four versions", "TestRealRedisson"},
		{"each waiter that died keeps its place in a fair lock for fairLockWaitTimeout (LP503)", "2 s of lease and 3 s of fairLockWaitTimeout: got after 4.97 s behind one, after 7.99 s behind two (4.2.0); a waiter by tryLock(60, SECONDS) without leaseTime kept its place for 60 ms only, its unit is lost", "TestRealRedissonFair"},
		{"a key that the version does not have at its place is refused (LP500)", "as said of every key of the root and of the five modes, by all four versions", "TestRealRedisson"},
		{"a retryDelay without its arguments, or of no class of Redisson's, is refused (LP500)", "as said, by 3.52.0 and 4.2.0; 4.2.0 takes {} for 0.1 s, with jitter up to 1 s, and passes over arguments that it does not know; 3.52.0 takes a number for seconds", "TestRealRedisson"},
		{"each mode's block and the root's slavesSyncTimeout and fairLockWaitTimeout arrive", "as said, of emit's YAML and Java, in five modes, by all four versions", "TestRealRedisson"},
		{"Java is read by no loader", "4.2.0 takes setRetryInterval, 3.52.0 a ConstantDelay", "TestRealRedisson"},
		{"before 3.8 the watchdog renews a read lock, not its readers: a reader that releases after the lease has run out releases it for all (LP105)", "by hand: lockWatchdogTimeout 3 s, two readers, the second releases after 5 s: a writer gets the lock of the first; a reader alone keeps it (3.5.0; redisson/redisson#1604 says so of 3.5.4 and 3.7.5)", ""},
		{"a watchdog below a second is too fine for the timer (LP504)", "60 ms were lost while nothing failed; at worst 145 of 300 ms were left, and 643 of 1000 ms, of two thirds (4.2.0)", "TestRealRedissonShort"},
		{"defaults: 30 s, timeout 3 s, 3 retries up to 3.47 and 4 from 3.48 on", "as said, by all four versions", "TestRealRedisson"},
		{"with replicas each send waits for WAIT too, up to slavesSyncTimeout, and a try that no replica confirms is undone by a call that waits as well", "by hand: one tryLock() took 9145 ms while the replica was frozen and the master healthy: four tries and four undos of 1 s, 3 delays of 200 ms, and late timers of client and server (4.2.0, masterSlave, timeout 200 ms, 3 retries, slavesSyncTimeout 1 s)", ""},
		{"in 3.44.0 to 3.45.0 an exception can stop the watchdog of every lock (LP501)", "not measured: a race that was reported and mended", ""},
		{"retryAttempts below 0, or 2147483647, is refused", "refused by 3.52.0 and 4.2.0; taken by 3.43.0 and 3.47.0 (lockplan refuses less than 0 for all); 2147483646 is taken by all", "TestRealRedisson"},
	},
	Code: map[string]string{"java": redissonCode},
}

func (redisson) Name() string  { return "redisson" }
func (redisson) Sheet() *Sheet { return &redissonSheet }

// Traits: the watchdog renews at a third; before 3.44 a failed renewal is the
// last.
func (l redisson) Traits() calc.Traits {
	return calc.Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond, MinTTL: time.Second, Ratio: 3 * calc.One,
		AfterCall: true, Silent: true, OneChance: l.oldest().before(3, 44), Fencing: l.fenced}
}

// FreeMax is the PX and, of a fair lock, the place of a waiter that died with
// the holder.
func (l redisson) FreeMax(ttl time.Duration) time.Duration { return saturate(ttl, l.dead) }

var redissonModes = map[string]string{
	"singleserverconfig": "single", "sentinelserversconfig": "sentinel", "clusterserversconfig": "cluster",
	"masterslaveserversconfig": "masterSlave", "replicatedserversconfig": "replicated",
}

// springText is where Spring Boot's starter keeps Redisson's YAML as a text.
const springText = "spring.redis.redisson.config"

// shellDefault is a default as shells and Redisson spell it; Spring's is
// ${NAME:default}.
var shellDefault = regexp.MustCompile(`\$\{([A-Za-z_][\w.]*:-[^{}]*)\}`)

// pick keeps what stands at the root of a Redisson text or in its mode block:
// "timeout" means other things elsewhere in an application's YAML.
func (l redisson) pick(entries []entry) []entry {
	out := append(l.strange(entries), springDefaults(entries)...)
	seen := map[string]bool{}
	for _, e := range entries {
		parts := strings.Split(e.path, ".")
		name := parts[len(parts)-1]
		block := slices.IndexFunc(parts[:len(parts)-1], func(p string) bool { return redissonModes[strings.ToLower(p)] != "" })
		switch {
		case e.list && block < 0:
		case strings.HasSuffix(strings.ToLower(e.path), "redisson.config"):
			if m := shellDefault.FindStringSubmatchIndex(e.Text); m != nil {
				line := e.Line + 1 + strings.Count(e.Text[:m[0]], "\n")
				text := e
				text.path, text.Value = springText, Value{Text: e.Text[m[2]:m[3]], File: e.File, Line: line}
				out = append(out, text)
			}
		case block >= 0:
			mode := e.lift(len(parts)-1-block, "mode")
			mode.Text, mode.list, mode.none = redissonModes[strings.ToLower(parts[block])], false, false
			if spot := fmt.Sprint(mode.at, mode.Text); !seen[spot] {
				seen[spot] = true
				out = append(out, mode)
			}
			if e.list { // nodeAddresses: no more than that the block is there
				continue
			}
			if len(parts) > block+2 && parts[block+1] == "retryDelay" {
				name = parts[block+1]
				if e = untagged(e, len(parts)-block-2, entries); e.Text == "" {
					continue
				}
			}
			out = append(out, e.lift(len(parts)-1-block, name))
		case parts[0] == "application":
			out = append(out, e)
		case len(parts) == 1, strings.Contains(strings.ToLower(e.path), "redisson"):
			out = append(out, e.lift(0, name))
		}
	}
	return out
}

// Read reckons the watchdog's schedule and one command's worst case, by
// version and mode.
func (l redisson) Read(run *Running) {
	lp500(run, l)
	lp505(run)
	watchdog, lease := run.Bound("lockWatchdogTimeout"), run.Bound("leaseTime")
	timeout := run.Bound("timeout")
	attempts, delay := l.retries(run)
	run.set("lockWatchdogTimeout", Millis.Format(watchdog.Value))
	run.set("timeout", Millis.Format(timeout.Value))
	run.set("retryAttempts", strconv.Itoa(attempts))
	run.set("retryDelay", f(delay(0)))
	mode := run.Word("mode", "single", "sentinel", "cluster", "replicated", "masterSlave")
	kind := run.Word("lockType", "plain", "fair", "fenced", "spin", "read")
	run.set("mode", mode)
	if kind != "plain" {
		run.set("lockType", kind)
	}
	l.dead, l.fenced = 0, kind == "fenced" && !l.before(3, 19)
	if kind == "fair" {
		l.dead = l.deadWaiter(run)
	}
	run.Library = l

	one, acquire := timeout.Value, saturate(timeout.Value, delay.total(attempts+1))
	if mode != "single" {
		one += run.Dur("slavesSyncTimeout")
	} else {
		run.lacks("lock service fails over", "mode single waits for no replica: a unique index")
	}
	if mode != "single" {
		acquire = saturate(calc.Chain(one, attempts, 0), delay.total(attempts+1))
	}
	call := saturate(calc.Chain(one, attempts, 0), delay.total(attempts))
	if attempts == 0 || delay(0) == 0 { // connection, write and reply each take up to the timeout
		call = max(call, 3*one)
		acquire = max(acquire, 3*one)
	}
	tick, configured := timerTick(timeout.Value, delay(0)), max(call, acquire)
	late, last := saturate(call, ticks(attempts, tick)), calc.Chain(tick, attempts+1, 0)
	if mode != "single" {
		last = calc.Chain(tick, 2*attempts+1, 0)
	}
	acquire = saturate(acquire, last)
	if mode != "single" { // each try is undone where no replica answers, and the undo waits for them too
		undone := saturate(calc.Chain(2*one, attempts, 0), delay.total(attempts))
		configured, acquire = max(configured, undone), max(acquire, saturate(undone, calc.Chain(tick, attempts-1, 0)))
	}
	run.Own.Call = &call
	command := calc.Compute(max(late, acquire), "(retryAttempts + 1) x timeout + delays, with late timers")
	command.File, command.Line = timeout.File, timeout.Line
	run.Setup.RenewTimeout, run.Setup.Command, run.Setup.Attempt = command, command, timeout
	run.Setup.Configured = calc.Compute(configured, "the same, with timers that are never late")
	run.Setup.Retries = attempts
	run.Setup.Unlock = calc.Compute(acquire, "one unlock script")
	run.Setup.Unlock.File, run.Setup.Unlock.Line = timeout.File, timeout.Line
	run.Setup.Try = run.Setup.Unlock
	run.Setup.Idle, run.Setup.Ping, run.Setup.Kept = run.Bound("idleConnectionTimeout"), l.ping(run), run.Int("connectionMinimumIdleSize")
	run.Setup.Pool.Size, run.Setup.Pool.MinIdle = run.Int("connectionPoolSize"), run.Int("connectionMinimumIdleSize")
	if v, given := run.Values["connectionPoolSize"]; given {
		run.Setup.Pool.File, run.Setup.Pool.Line = v.File, v.Line
	}
	if wait := run.Bound("waitTime"); wait.Known {
		run.Setup.Wait = wait
	}
	if kind == "spin" {
		run.Detect = run.polled(spinDelay, 0, "the back-off of a spin lock and a try")
	}
	if wait := run.Setup.Wait; wait.Known {
		d := saturate(max(wait.Value, acquire), acquire)
		switch kind {
		case "spin":
			d = saturate(d, spinDelay)
		case "fair": // it leaves the queue
			d = saturate(d, acquire)
		}
		run.Own.Acquire = &d
	}
	lp502(run, acquire)
	run.HasLease = true
	if lease.Known && lease.Value > 0 {
		run.set("leaseTime", Millis.Format(lease.Value))
		run.Setup.TTL, run.Lease = lease, calc.Lease{TTL: lease.Value}
		run.NoRenewer = "disabled by leaseTime"
		run.lacks("work outruns the lease", "leaseTime switches the watchdog off")
		lp503(run, l)
		return
	}
	run.Setup.TTL = watchdog
	if kind == "read" && l.before(3, 8) { // redisson/redisson#1604, of 3.5 to 3.7: alone it is renewed
		run.Lease, run.NoRenewer = calc.Lease{TTL: watchdog.Value}, "absent: before 3.8 the watchdog renews no reader, and the release of another ends the lock"
		run.lacks("work outruns the lease", "before 3.8 the watchdog renews no reader of a read lock")
		return
	}
	interval := (watchdog.Value / 3).Truncate(time.Millisecond)
	run.Lease = calc.Lease{TTL: watchdog.Value, Interval: interval, Call: late, Spacing: saturate(interval, late), AfterCall: true}
	lp501(run, l)
	lp503(run, l)
	if l.oldest().before(3, 44) {
		run.oneChance()
	}
	lp504(run, watchdog.Value)
}

// ping is how often an idle connection is pinged: by default from 3.13.6 on.
func (l redisson) ping(run *Running) calc.Bound {
	if !run.Given("pingConnectionInterval") && l.oldest().before(3, 14) {
		return calc.Assume(0, "default before 3.13.6")
	}
	return run.Bound("pingConnectionInterval")
}

// spinDelay is the longest back-off of a spin lock that was made without one.
const spinDelay = 128 * time.Millisecond

// timerTick is the step of the hashed wheel that all of Redisson's timeouts
// and delays run on: each fires up to one step late.
func timerTick(timeout, delay time.Duration) time.Duration {
	least := min(timeout, delay).Milliseconds()
	switch {
	case least%100 != 0:
		return max(time.Duration(least%100/2), 1) * time.Millisecond
	case least == 100:
		return 50 * time.Millisecond
	}
	return 100 * time.Millisecond
}

// ticks is how late the timers of one command come together: a timeout for
// each send and a delay between two.
func ticks(retries int, tick time.Duration) time.Duration { return time.Duration(2*retries+1) * tick }

// Express gives the watchdog, or the lease time, and a command that fits into
// the renew call: two sends with a short delay between.
func (l redisson) Express(ask Ask) ([]Setting, error) {
	ttl := ask.Lease.TTL
	budget, what := 2*ask.Attempt, "one call"
	var out []Setting
	if ask.Lease.Renews() {
		if ask.In.Failures > 0 && l.oldest().before(3, 44) {
			return nil, fault.Usagef("redisson: before 3.44 a failed renewal is the last, %d are to be survived", ask.In.Failures).
				Hintf("--failures 0, or --library redisson@3.44")
		}
		what = "a renew call"
		out = append(out, Setting{"lockWatchdogTimeout", Millis.Up(ttl), "lease TTL; renewed every third"})
		budget = callAfterCall(ask)
		if budget < ask.Lease.Call && !ask.Tight {
			return nil, fault.Usagef("redisson: a lease of %s leaves %s for a renew call, planned are %s", f(ttl), f(max(0, budget)), f(ask.Lease.Call)).
				Hintf("a longer TTL")
		}
	} else {
		out = append(out, Setting{"leaseTime", Millis.Up(ttl), "lease TTL; no watchdog"})
		if rtt := max(ask.In.RTT.Value, time.Millisecond); budget < 4*rtt+400*time.Millisecond && redissonSend(budget) < 2*rtt { // nothing waits for this call
			budget = 4*rtt + 400*time.Millisecond
		}
		for l.send(ask, budget) < redissonCold {
			budget += 10 * time.Millisecond
		}
	}
	if ask.Wait > 0 {
		budget = min(budget, ask.Wait)
	}
	delay, timeout := redissonDelay(budget), redissonSend(budget)
	if mode, given := ask.Given["mode"]; given && mode.Text != "single" {
		if !slices.Contains(slices.Collect(maps.Values(redissonModes)), mode.Text) {
			return nil, fault.Usagef("redisson has no mode %q", mode.Text).Hintf("single, sentinel, cluster, replicated or masterSlave")
		}
		sync := (timeout / 2).Truncate(time.Millisecond) // each send waits for the replicas too
		timeout -= sync
		out = append(out, Setting{"mode", mode.Text, "given"}, Setting{"slavesSyncTimeout", Millis.Format(sync), "half of a send: WAIT for the replicas"})
	}
	why := "half of what one call may take"
	if timeout < redissonCold {
		if waits := ask.Wait > 0 && ask.Wait <= budget; !ask.Tight && !waits {
			return nil, fault.Usagef("redisson: %s of %s leaves a send %s; a cold JVM may miss its first PING below %s", what, f(budget), f(max(0, timeout)), f(redissonCold)).
				Hintf("a longer TTL")
		}
		why += "; so short a time also ends the first PING: a cold JVM may fail to connect"
	}
	if timeout < max(ask.In.RTT.Value, time.Millisecond) || delay <= 0 {
		return nil, fault.Usagef("redisson: %s of %s holds no two sends of a round trip of %s and a delay", what, f(max(0, budget)), f(ask.In.RTT.Value)).
			Hintf("a longer TTL, or a longer wait")
	}
	if l.chosen && l.dead > 0 {
		out = append(out, Setting{"fairLockWaitTimeout", Millis.Format(l.dead), "a waiter that died keeps its place so long after the lease; a live one that waits longer goes to the end"})
	}
	out = append(out,
		Setting{"timeout", Millis.Format(timeout), why},
		Setting{"retryAttempts", "1", "one resend"})
	if l.before(4, 0) {
		out = append(out, Setting{"retryInterval", Millis.Format(delay), "before the resend"})
	} else {
		out = append(out, Setting{"retryDelay", "!<org.redisson.config.ConstantDelay> {delay: " + ISOText.Format(delay) + "}", "before the resend"})
	}
	if ask.Wait > 0 {
		out = append(out, Setting{"waitTime", Millis.Down(ask.Wait), "acquire wait (A)"})
	}
	return out, nil
}

// redissonCold is a timeout that the first PING of a connection meets even in
// a JVM that has just started.
const redissonCold = 100 * time.Millisecond

// send is the timeout of one send in the mode that is asked for.
func (redisson) send(ask Ask, call time.Duration) time.Duration {
	timeout := redissonSend(call)
	if mode, given := ask.Given["mode"]; given && mode.Text != "single" { // half is for the replicas
		timeout -= (timeout / 2).Truncate(time.Millisecond)
	}
	return timeout
}

// redissonDelay and redissonSend are the delay and each of the two timeouts
// that fit into a call, with late timers.
func redissonDelay(call time.Duration) time.Duration {
	return min(call/10, 99*time.Millisecond).Truncate(time.Millisecond)
}

func redissonSend(call time.Duration) time.Duration {
	delay := redissonDelay(call)
	return ((call - delay - ticks(1, timerTick(delay, delay))) / 2).Truncate(time.Millisecond)
}

// block is the YAML key of the mode.
func block(run *Running) string {
	return map[string]string{"single": "singleServerConfig", "sentinel": "sentinelServersConfig", "cluster": "clusterServersConfig",
		"masterSlave": "masterSlaveServersConfig", "replicated": "replicatedServersConfig"}[run.Text("mode")]
}

// place puts connection keys into the mode block.
func (redisson) place(key string, run *Running) []string {
	switch key {
	case "lockWatchdogTimeout", "slavesSyncTimeout", "fairLockWaitTimeout", "lockWatchdogBatchSize":
		return []string{key}
	}
	return []string{block(run), key}
}

// conflicts refuses a second mode block, which Redisson does not load.
func (redisson) conflicts(root *yaml.Node, run *Running) error {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if mode := redissonModes[strings.ToLower(root.Content[i].Value)]; mode != "" && mode != run.Text("mode") {
			return fault.Usagef("line %d: the file is for mode %s, the plan for %s", root.Content[i].Line, mode, run.Text("mode")).Hintf("--set mode=%s", mode)
		}
	}
	return nil
}

// redissonCode is the source file that emit writes.
const redissonCode = `package locks;

import java.time.Duration;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;
{{- if not (.Before 4 0)}}
import org.redisson.config.ConstantDelay;
{{- end}}

public final class {{.ID}}Lock {
` + javaLimits + `
{{- if .Has "leaseTime"}}
    /** Argument of lock and tryLock, ms: no watchdog. */
    public static final long LEASE_TIME_MS = {{.Ms "leaseTime"}}L;
{{- end}}
{{- if .Has "waitTime"}}
    /** Argument of tryLock, ms. */
    public static final long WAIT_TIME_MS = {{.Ms "waitTime"}}L;
{{- end}}

    private {{.ID}}Lock() {}

    /** Sets the timing; server is config.useSingleServer() or another mode's. */
    public static void apply(Config config, BaseConfig<?> server) {
{{- if .Has "lockWatchdogTimeout"}}
        config.setLockWatchdogTimeout({{.Ms "lockWatchdogTimeout"}}L);
{{- end}}
{{- if .Has "slavesSyncTimeout"}}
        config.setSlavesSyncTimeout({{.Ms "slavesSyncTimeout"}}L);
{{- end}}
{{- if .Has "fairLockWaitTimeout"}}
        config.setFairLockWaitTimeout({{.Ms "fairLockWaitTimeout"}}L);
{{- end}}
        server.setTimeout({{.Ms "timeout"}});
        server.setRetryAttempts({{.Raw "retryAttempts"}});
{{- if .Before 4 0}}
        server.setRetryInterval({{.Delay}});
{{- else}}
        server.setRetryDelay(new ConstantDelay(Duration.ofMillis({{.Delay}})));
{{- end}}
    }
}
`
