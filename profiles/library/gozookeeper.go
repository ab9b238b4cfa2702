package library

import (
	"time"

	"github.com/lockplan/lockplan/calc"
)

// goZooKeeper is go-zookeeper/zk's Lock on a ZooKeeper session.
type goZooKeeper struct {
	version
	zk zooKeeper
}

var goZooKeeperSheet = Sheet{
	Name: "go-zookeeper", Title: "go-zookeeper/zk Lock", Language: "go", Store: "zookeeper",
	Versions: []string{"1.0"}, Formats: []string{"go", "yaml", "json", "properties", "env", "toml"},
	Keys: append([]Key{
		{Name: "sessionTimeout", Unit: GoText, Range: "minSessionTimeout to maxSessionTimeout of the server", Outside: "clamps; below 1ms and from 2^31 ms on no session comes", Round: "up", Doc: "the second argument of zk.Connect; whole milliseconds"},
	}, serverKeys...),
	Renewal:         "a ping every T/3, whatever the traffic",
	Call:            "2T/3 read deadline; one second a try to connect",
	Signal:          "StateDisconnected on the event channel at most 2T/3 after the last packet; Lock itself says nothing",
	Fence:           "czxid of the lock node",
	MutualExclusion: "the session, while the holder stops at StateDisconnected", NoDeadlock: "ephemeral nodes end with the session", OwnerOnly: "the session owns its nodes; after an expiry Unlock still believes in its path",
	Atomic: "sequential ephemeral create", Available: "a majority of the ensemble",
	Reentrant: "nothing: a second Lock is ErrDeadlock", Waiting: "without limit or context", Fair: "sequence order", Orders: true,
	Crash: "the session timeout", Outrun: "pings, as long as the process lives", JitterAtRelease: "the session timeout", Failover: "the quorum; every session starts anew with its full timeout", EnteredTwice: "nothing: idempotency of the application",
	Facts: []Fact{
		{"the session is 32 bits of milliseconds, fractions cut", "2.5005 s: 2500 ms; 0, 500 us, below 0 and 2^31 ms: no session in 3 s; 2^31 - 1 ms: the server's most; 2^32 ms + 5 s: 5 s", "TestRealZooKeeper"},
		{"disconnected 2T/3 after the last packet", "T 4 s: 2.67 s", "TestRealZooKeeper"},
	},
	Code: map[string]string{"go": goZooKeeperCode},
}

func (goZooKeeper) Name() string                              { return "go-zookeeper" }
func (goZooKeeper) Sheet() *Sheet                             { return &goZooKeeperSheet }
func (g goZooKeeper) Traits() calc.Traits                     { return g.zk.Traits() }
func (g goZooKeeper) Granted(ttl time.Duration) time.Duration { return ttl }
func (g goZooKeeper) FreeMin(ttl time.Duration) time.Duration { return ttl }
func (g goZooKeeper) FreeMax(ttl time.Duration) time.Duration { return g.zk.FreeMax(ttl) }
func (g goZooKeeper) TakeoverTerms() string                   { return g.zk.TakeoverTerms() }

// Loss is StateDisconnected.
func (g goZooKeeper) Loss(ttl time.Duration) (time.Duration, bool) { return g.zk.Loss(ttl) }

// configured is the library with the tick that the surroundings fix.
func (g goZooKeeper) configured(given Values) Library {
	g.zk = g.zk.ticking(given)
	return g
}

// Read clamps the session as the server does.
func (g goZooKeeper) Read(run *Running) {
	granted, ok := g.zk.session(run, "sessionTimeout")
	g.zk = g.zk.read(run)
	run.Library = g
	if ok && !lp586(run, run.Dur("sessionTimeout")) {
		granted = granted.Truncate(time.Millisecond)
		run.set("sessionTimeout", GoText.Format(granted))
		pinged(run, granted)
		deadline := granted * 2 / 3 // of a read
		run.Own.Renewal = &deadline
	}
}

// Express asks for the session in whole milliseconds.
func (g goZooKeeper) Express(ask Ask) ([]Setting, error) {
	server, session, err := g.zk.express(ask)
	return append(server, Setting{"sessionTimeout", GoText.Format(session), "lease TTL"}), err
}

// goZooKeeperCode is the source file that emit writes.
const goZooKeeperCode = goHead + `)
` + goLimits + `
// {{.ID}}SessionTimeout is the second argument of zk.Connect. Stop work at
// StateDisconnected.
const {{.ID}}SessionTimeout = {{.Go "sessionTimeout"}}
`
