package library

import (
	"strconv"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// curator is Apache Curator's InterProcessMutex on a ZooKeeper session.
type curator struct {
	version
	zk      zooKeeper
	percent int  // simulatedSessionExpirationPercent; 0 before Read
	lost    bool // SessionConnectionStateErrorPolicy: only LOST stops the work
}

var curatorSheet = Sheet{
	Name: "curator", Title: "Apache Curator InterProcessMutex", Language: "java", Store: "zookeeper",
	Versions: []string{"5.9"}, Formats: []string{"properties", "yaml", "json", "env", "toml", "java"},
	Keys: append([]Key{
		{Name: "sessionTimeoutMs", Unit: Millis, Int: true, Default: "60000", Range: "minSessionTimeout to maxSessionTimeout of the server", Outside: "clamps", Round: "up", Doc: "the session asked for", Other: []string{"curator-default-session-timeout"}},
		{Name: "connectionTimeoutMs", Unit: Millis, Int: true, Default: "15000", Range: "below sessionTimeoutMs", Outside: "accepts, with a log line", Round: "down", Doc: "one try to connect", Other: []string{"curator-default-connection-timeout"}},
		{Name: "retries", Unit: Count, Default: "0", Doc: "of RetryNTimes"},
		{Name: "retrySleepMs", Unit: Millis, Int: true, Default: "0", Round: "down", Doc: "between two tries of RetryNTimes"},
		{Name: "retryPolicy", Unit: Word, Range: "a class of Curator's with its arguments, such as RetryOneTime(100) or RetryForever(1000)", Doc: "another RetryPolicy than RetryNTimes"},
		{Name: "connectionStateErrorPolicy", Unit: Word, Default: "standard", Range: "standard or session", Classes: []string{"ConnectionStateErrorPolicy"}, Doc: "standard: SUSPENDED stops the work; session: only LOST does"},
		{Name: "simulatedSessionExpirationPercent", Unit: Count, Default: "100", Range: "1 to 100", Outside: "error", Doc: "LOST comes this share of the session after SUSPENDED"},
	}, serverKeys...),
	Renewal:         "the ZooKeeper client's pings at T/3",
	Call:            "2T/3 + retries x (connectionTimeoutMs + T + what the RetryPolicy sleeps), four calls an acquire; without end with RetryForever",
	Signal:          "SUSPENDED at most 2T/3 after the last packet, LOST percent of T later; the mutex itself says nothing: register a ConnectionStateListener",
	Fence:           "czxid of the lock node (getLockPath is protected: subclass)",
	MutualExclusion: "the session, while the holder stops at SUSPENDED", NoDeadlock: "ephemeral nodes end with the session", OwnerOnly: "the session owns its nodes",
	Atomic: "sequential ephemeral create with protection", Available: "a majority of the ensemble",
	Reentrant: "InterProcessMutex, a thread", Waiting: "acquire(time): bounds the wait, not the calls", Fair: "sequence order", Orders: true,
	Crash: "the session timeout", Outrun: "pings, as long as the process lives", JitterAtRelease: "guaranteed delete in the background", Failover: "the quorum; every session starts anew with its full timeout", EnteredTwice: "re-entrant in a thread; else idempotency of the application",
	Facts: []Fact{
		{"SUSPENDED at most 2T/3 after the last packet", "T 4 s: 2.77 s, 0.1 s later than said", "TestRealCurator"},
		{"LOST is safe at 33 percent", "no: 4.09 s of 4 s, since SUSPENDED comes late; 25 percent is", "TestRealCurator"},
		{"LOST at 100 percent comes after the lock was given away", "6.77 s of 4 s", "TestRealCurator"},
		{"one call takes (retries + 1) x connectionTimeoutMs at worst", "no: acquire(1 s) with a session of 6 s and two tries of 1 s threw after 10.2 s on a frozen server: 2T/3 until the connection is given up, then a second of waiting and the handshake of the next one", "TestRealCuratorAcquire"},
		{"a retry policy sleeps what its class says (LP585, LP587)", "at worst as reckoned, in 2000 calls of 12 policies: ExponentialBackoffRetry(1000, 3) 1, 3 and 7 s, at most 29 tries whatever it is given; RetryUntilElapsed sleeps once more after its time; RetryForever never gives up", "TestRealJVM"},
		{"the percent is 1 to 100", "as said, at 10 edges", "TestRealJVM"},
	},
	Code: map[string]string{"java": curatorCode},
}

func (curator) Name() string                              { return "curator" }
func (curator) Sheet() *Sheet                             { return &curatorSheet }
func (c curator) Traits() calc.Traits                     { return c.zk.Traits() }
func (c curator) Granted(ttl time.Duration) time.Duration { return ttl }
func (c curator) FreeMin(ttl time.Duration) time.Duration { return ttl }
func (c curator) FreeMax(ttl time.Duration) time.Duration { return c.zk.FreeMax(ttl) }
func (c curator) TakeoverTerms() string                   { return c.zk.TakeoverTerms() }

// Loss is SUSPENDED, or with the session policy LOST.
func (c curator) Loss(ttl time.Duration) (time.Duration, bool) {
	suspended, ok := c.zk.Loss(ttl)
	if c.lost {
		return saturate(suspended, ttl*time.Duration(c.percent)/100), ok
	}
	return suspended, ok
}

// configured is the library with the tick that the surroundings fix.
func (c curator) configured(given Values) Library {
	c.zk = c.zk.ticking(given)
	return c
}

// Read clamps the session as the server does.
func (c curator) Read(run *Running) {
	granted, ok := c.zk.session(run, "sessionTimeoutMs")
	c.zk = c.zk.read(run)
	policy := run.Word("connectionStateErrorPolicy", "standard", "session")
	c.percent, c.lost = run.Int("simulatedSessionExpirationPercent"), policy == "session"
	run.Library = c
	run.set("simulatedSessionExpirationPercent", strconv.Itoa(c.percent))
	run.set("connectionStateErrorPolicy", policy)
	connect := run.Bound("connectionTimeoutMs")
	run.set("connectionTimeoutMs", Millis.Format(connect.Value))
	lp583(run, c)
	if ok {
		run.set("sessionTimeoutMs", Millis.Format(granted))
		lp584(run, connect.Value, granted)
		c.calls(run, connect, granted)
		pinged(run, granted)
	}
}

// Express keeps one try to connect within a third of the session and within
// the wait.
func (c curator) Express(ask Ask) ([]Setting, error) {
	server, session, err := c.zk.express(ask)
	connect, retries, why := session/3, "1", "one more try"
	if ask.Wait > 0 {
		connect = min(connect, ask.Wait/2)
		if ask.Wait < 4*(connect+session*5/3) {
			retries, why = "0", "four calls with another try are longer than the wait"
		}
	}
	return append(server,
		Setting{"sessionTimeoutMs", Millis.Format(session), "lease TTL"},
		Setting{"connectionTimeoutMs", Millis.Down(connect), "one try to connect, a third of the session, half the wait"},
		Setting{"retries", retries, why},
		Setting{"retrySleepMs", "0", "at once: another server is tried"},
		Setting{"connectionStateErrorPolicy", "standard", "SUSPENDED comes before the server frees, LOST after"},
		Setting{"simulatedSessionExpirationPercent", "25", "LOST, too, before the server frees"},
	), err
}

// curatorCode is the source file that emit writes.
const curatorCode = `package locks;

import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.StandardConnectionStateErrorPolicy;
import org.apache.curator.retry.RetryNTimes;

public final class {{.ID}}Lock {
` + javaLimits + `
    private {{.ID}}Lock() {}

    /** Sets the timing of a client. Stop work at SUSPENDED. */
    public static CuratorFrameworkFactory.Builder apply(CuratorFrameworkFactory.Builder builder) {
        return builder
            .sessionTimeoutMs({{.Ms "sessionTimeoutMs"}})
            .connectionTimeoutMs({{.Ms "connectionTimeoutMs"}})
            .retryPolicy(new RetryNTimes({{.Raw "retries"}}, {{.Ms "retrySleepMs"}}))
            .connectionStateErrorPolicy(new StandardConnectionStateErrorPolicy())
            .simulatedSessionExpirationPercent({{.Raw "simulatedSessionExpirationPercent"}});
    }
}
`
