package library

import (
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// zooKeeper is a ZooKeeper session as its server grants it, seen by the Java
// client; curator and go-zookeeper build on it.
type zooKeeper struct {
	version
	tick   time.Duration // as configured; 0 before Read
	chosen bool          // the tick is emit's choice
	raises bool          // the longest session is emit's choice
	least  time.Duration // minSessionTimeout, where it is fixed
	most   time.Duration // maxSessionTimeout, where it is fixed
	orphan time.Duration // how long a follower without its leader still answers: syncLimit ticks; 0 is not known
	// failover is the time until a new leader is elected, where one is reckoned
	// with.
	failover time.Duration
}

// defaultTick is ZooKeeperServer.DEFAULT_TICK_TIME; the sample zoo.cfg says
// 2000. The longer one frees a lock later, so that is planned with.
const defaultTick = 3 * time.Second

// serverKeys are those of zoo.cfg.
var serverKeys = []Key{
	{Name: "tickTime", Unit: Millis, Int: true, Default: "3000", Range: "above 0", Outside: "error", Doc: "the server's unit of time: sessions end on its multiples", Env: "ZOO_TICK_TIME", Other: []string{"ZOO_TICK_TIME"}},
	{Name: "minSessionTimeout", Unit: Millis, Int: true, Default: "-1", Signed: true, Range: "at most maxSessionTimeout; -1 is 2 ticks", Outside: "error", Doc: "requests below are raised to it"},
	{Name: "maxSessionTimeout", Unit: Millis, Int: true, Default: "-1", Signed: true, Range: "at least minSessionTimeout; -1 is 20 ticks", Outside: "error", Doc: "requests above are cut to it"},
	{Name: "initLimit", Unit: Count, Range: "above 0 in an ensemble", Outside: "error", Doc: "ticks a follower may take to connect", Env: "ZOO_INIT_LIMIT", Other: []string{"ZOO_INIT_LIMIT"}},
	{Name: "syncLimit", Unit: Count, Range: "above 0 in an ensemble", Outside: "error", Doc: "ticks a follower may lag", Env: "ZOO_SYNC_LIMIT", Other: []string{"ZOO_SYNC_LIMIT"}},
	{Name: strangeKeys, Unit: Word, App: true, Found: true, Doc: "check finds them: keys of zoo.cfg in another spelling than the server's, with their lines"},
}

var zooKeeperSheet = Sheet{
	Name: "zookeeper", Title: "ZooKeeper session (zoo.cfg and the Java client)", Language: "java", Store: "zookeeper",
	Versions: []string{"3.8", "3.9"}, Formats: []string{"properties", "yaml", "json", "env", "toml", "java"}, OwnFile: "keys of zoo.cfg, the servers load it; the session is the client's",
	Keys: append([]Key{
		{Name: "sessionTimeout", Unit: Millis, Int: true, Range: "minSessionTimeout to maxSessionTimeout", Outside: "clamps", Round: "up", App: true,
			Doc: "asked for by the client; read the granted one back with getSessionTimeout()", Other: []string{"sessionTimeoutMs", "session.timeout"}},
	}, serverKeys...),
	Renewal:         "a ping after T/3 without traffic; a reply missing at 2T/3 disconnects and another server is tried",
	Call:            "T/3 from ping to disconnect; connecting takes T / number of servers a try",
	Signal:          "Disconnected at most 2T/3 after the last packet, on a follower without its leader only after syncLimit ticks; Expired at 4T/3 from 3.9.3 on, before that only after reconnecting",
	Fence:           "czxid of the lock node",
	MutualExclusion: "the session, while the holder stops at Disconnected", NoDeadlock: "ephemeral nodes end with the session", OwnerOnly: "the session owns its nodes",
	Atomic: "sequential ephemeral create through the quorum", Available: "a majority of the ensemble",
	Reentrant: "the recipe's", Waiting: "a watch on the predecessor", Fair: "sequence order", Orders: true,
	Crash: "the session timeout", Outrun: "pings, as long as the process lives", JitterAtRelease: "the session timeout; a delete that failed is not a release", Failover: "the quorum; every session starts anew with its full timeout", EnteredTwice: "the recipe's re-entrancy",
	Facts: []Fact{
		{"a follower that lost its leader answers its clients for syncLimit ticks (LP582)", "syncLimit x tick 3 s: the holder saw its own node until 2.78 to 2.95 s after the cut and was disconnected after 2.90 to 3.11 s (three servers 3.8.0, the follower's link to its leader stopped)", "TestRealZooKeeperFollower"},
		{"a session above syncLimit x tick is safe on such a follower", "no: a session of 3.2 s ended 2.70 s after the cut, before the holder was told (syncLimit x tick 3 s); one of 5 s, above 1.5 x (syncLimit + 1/2) ticks = 4.88 s, ended after 3.69 s", "TestRealZooKeeperFollower"},
		{"a server refuses a tick of 0, a minimum above the maximum, and limits of 0 in an ensemble; only -1 stands for the default", "as said, at 18 edges (3.8.0); every other number is taken, a tick of 1 ms and a minimum of -2 too", "TestRealZooKeeperConfig"},
		{"the server tells its keys apart by case (LP588)", "ticktime=2000, tick_time=2000, zookeeper.tickTime=2000: taken, with a tick of 3 s (3.8.0)", "TestRealZooKeeperConfig"},
		{"Expired comes to a cut-off client after 4T/3 from 3.9.3 on", "not measured: the lock is to be left at Disconnected, which is", ""},
		{"a new leader starts every session anew with its full timeout", "by hand: T 10 s, tick 1 s, the holder killed, 9.01 s later the leader of three servers: node gone 21.44 s after the holder was killed, 10.08 s where the leader stayed (3.8.0). With --failover the takeover reckons with the whole session twice", ""},
		{"a session is clamped to 2 to 20 ticks without an error", "as said, at 10 edges with a tick of 1 s (servers 3.8.0 and 3.9.3)", "TestRealZooKeeper"},
		{"a session ends between T and T + 1.5 ticks after the last touch", "T 4 s, tick 1 s: node gone after 4.67 s", "TestRealZooKeeper"},
	},
	Code: map[string]string{"java": zooKeeperCode},
}

func (zooKeeper) Name() string  { return "zookeeper" }
func (zooKeeper) Sheet() *Sheet { return &zooKeeperSheet }

// Traits: a session of whole milliseconds, pinged at a third; Java's client cuts
// that to a millisecond, Go's does not.
func (z zooKeeper) Traits() calc.Traits {
	least, most := z.limits()
	return calc.Traits{Quantum: time.Millisecond, IntervalQuantum: time.Millisecond,
		MinTTL: least, MaxTTL: most, NoFixed: true, Ratio: 3 * calc.One, ExactRatio: true, Fencing: true}
}

// configured is the library with the tick that the surroundings fix.
func (z zooKeeper) configured(given Values) Library { return z.ticking(given) }

func (z zooKeeper) ticking(given Values) zooKeeper {
	if d, err := Millis.Parse(given["tickTime"].Text); err == nil && d > 0 {
		z.tick, z.raises = d, given["tickTime"].File != "" // the file at hand, into which a maximum can be written
	}
	if n, err := strconv.Atoi(given["syncLimit"].Text); err == nil && n > 0 {
		z.orphan = calc.Chain(z.ticks(), n-1, 0)
	}
	return z.limited(given)
}

// read takes the tick, the limit of a follower and a stated failover from a
// configuration.
func (z zooKeeper) read(run *Running) zooKeeper {
	z.tick, z.failover = run.Dur("tickTime"), run.Setup.Failover.Value
	if n := run.Int("syncLimit"); n > 0 {
		z.orphan = calc.Chain(z.tick, n-1, 0)
	}
	return z
}

func (z zooKeeper) ticks() time.Duration {
	if z.tick == 0 {
		return defaultTick
	}
	return z.tick
}

// Granted is the session as negotiated.
func (zooKeeper) Granted(ttl time.Duration) time.Duration { return ttl }

// FreeMin is the session timeout.
func (zooKeeper) FreeMin(ttl time.Duration) time.Duration { return ttl }

// FreeMax adds the bucket of the expiry queue, one tick, and the half tick
// that a follower may hold back a touch. A leader that is lost just before the
// session ends starts it anew.
func (z zooKeeper) FreeMax(ttl time.Duration) time.Duration {
	return anew(saturate(ttl, z.ticks()+z.ticks()/2), z.failover)
}

// anew is when a lease is free whose leader may be lost just before that and
// has a successor after the failover, who starts the lease anew; a failover of
// 0 is none.
func anew(free, failover time.Duration) time.Duration {
	if failover == 0 {
		return free
	}
	return saturate(free, saturate(failover, free))
}

// TakeoverTerms says what a stated failover adds.
func (z zooKeeper) TakeoverTerms() string {
	if z.failover == 0 {
		return ""
	}
	return "failover + 2 x (session + 1.5 ticks): a leader lost just before the end, and the next one starts the session anew"
}

// Loss is the Disconnected event. A follower that lost its leader holds it
// back, and the last ping that the leader heard of is then as old as the pings
// are apart and half a tick, in which the follower had it to pass on.
func (z zooKeeper) Loss(ttl time.Duration) (time.Duration, bool) {
	loss := ttl * 2 / 3
	if z.orphan > 0 {
		loss = max(loss, saturate(ttl/3+z.ticks()/2, z.orphan))
	}
	return loss, true
}

// Read clamps the session as the server does, silently.
func (z zooKeeper) Read(run *Running) {
	granted, ok := z.session(run, "sessionTimeout")
	z = z.read(run)
	run.Library = z
	if ok {
		run.set("sessionTimeout", Millis.Format(granted))
		pinged(run, granted)
	}
}

// session is the timeout that the server grants.
func (z zooKeeper) session(run *Running, key string) (granted time.Duration, ok bool) {
	tick, asked := run.Dur("tickTime"), run.Bound(key)
	least, most := run.Dur("minSessionTimeout"), run.Dur("maxSessionTimeout")
	const unset = -time.Millisecond // any other negative number is taken as it is
	if least == unset {
		least = 2 * tick
	}
	if most == unset {
		most = 20 * tick
	}
	lp588(run)
	run.Setup.TTL = asked
	run.set("tickTime", Millis.Format(tick))
	run.set("minSessionTimeout", Millis.Format(least))
	run.set("maxSessionTimeout", Millis.Format(most))
	if starts := lp581(run, tick, least, most); !starts || !asked.Known {
		return 0, false
	}
	granted = min(max(asked.Value, least), most)
	lp580(run, key, asked.Value, granted, least, most)
	if run.Given("syncLimit") {
		run.set("syncLimit", strconv.Itoa(run.Int("syncLimit")))
		lp582(run, key, granted, z.read(run))
	}
	return granted, true
}

// pinged is the lease of a session that a client pings at a third of it.
func pinged(run *Running, granted time.Duration) {
	run.HasLease = true
	run.renewsEvery(granted, granted/3)
	run.Own.Renewal = &run.Lease.Interval // from a ping to the disconnect
}

// Express asks for the session, and for a tick only where the surroundings do
// not fix one: a tenth of the session keeps its end sharp.
func (z zooKeeper) Express(ask Ask) ([]Setting, error) {
	out, session, err := z.express(ask)
	return append(out, Setting{"sessionTimeout", Millis.Format(session), "lease TTL"}), err
}

func (z zooKeeper) express(ask Ask) (server []Setting, session time.Duration, err error) {
	session = ask.Lease.TTL
	if session%time.Millisecond != 0 {
		session += time.Millisecond - session%time.Millisecond
	}
	if v, given := ask.Given["tickTime"]; given {
		server = append(server, Setting{"tickTime", v.Text, "given"})
	} else if z.chosen {
		server = append(server, Setting{"tickTime", Millis.Format(z.tick), "the plan needs it: a session ends up to 1.5 ticks late"})
	} else {
		// T_min is at least 2 default ticks; the emitted tick is that default
		// or finer, which only frees a lock earlier.
		tick := min(session/10, defaultTick)
		server = append(server, Setting{"tickTime", Millis.Down(max(tick, time.Millisecond)), "the servers', in their zoo.cfg; a tenth of the session, at most 3 s"})
	}
	if _, fixed := ask.Given["maxSessionTimeout"]; z.raises && !fixed && session > 20*z.tick {
		server = append(server, Setting{"maxSessionTimeout", Millis.Format(session), "20 ticks are too few"})
	}
	for _, key := range []string{"minSessionTimeout", "maxSessionTimeout", "syncLimit", "initLimit"} {
		if v, given := ask.Given[key]; given {
			server = append(server, Setting{key, v.Text, "given"})
		}
	}
	return server, session, nil
}

// zooKeeperCode is the source file that emit writes.
const zooKeeperCode = `package locks;

public final class {{.ID}}Lock {
` + javaLimits + `
    /** Second argument of new ZooKeeper, ms; compare getSessionTimeout(). */
    public static final int SESSION_TIMEOUT_MS = {{.Ms "sessionTimeout"}};

    private {{.ID}}Lock() {}
}
`
