package library

// codeTemplates are the source files that emit writes, by library and form.
// The limits that no library keeps stand in each as constants.
var codeTemplates = map[string]string{
	"go-redis.go": goHead + `
	"github.com/redis/go-redis/v9"
)
` + goLimits + `
// {{.ID}}TTL is the PX of SET NX PX.
const {{.ID}}TTL = {{.Go "ttl"}}
{{if .Has "renewInterval"}}
// {{.ID}}RenewInterval is between two renewals by script.
const {{.ID}}RenewInterval = {{.Go "renewInterval"}}
{{end}}
// {{.ID}}CallTimeout is the context of one command.
const {{.ID}}CallTimeout = {{.Go "renewTimeout"}}

` + goRedisOptionsCode,

	"redsync.go": goHead + `
	"github.com/go-redsync/redsync/v4"
	"github.com/redis/go-redis/v9"
)
` + goLimits + `
// {{.ID}}Options are those of redsync.NewMutex.
func {{.ID}}Options() []redsync.Option {
	return []redsync.Option{
		redsync.WithExpiry({{.Go "WithExpiry"}}),
		redsync.WithTries({{.Raw "WithTries"}}),
		redsync.WithRetryDelay({{.Go "WithRetryDelay"}}),
		redsync.WithDriftFactor({{.Raw "WithDriftFactor"}}),
		redsync.WithTimeoutFactor({{.Raw "WithTimeoutFactor"}}),
	}
}
{{if .Has "extendEvery"}}
// {{.ID}}ExtendEvery is between two calls of ExtendContext.
const {{.ID}}ExtendEvery = {{.Go "extendEvery"}}
{{end}}
// {{.ID}}CallTimeout is the context of one Extend and of Unlock: redsync sets none.
const {{.ID}}CallTimeout = {{.Go "extendTimeout"}}

` + goRedisOptionsCode,

	"redislock.go": goHead + `
	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
)
` + goLimits + `
// {{.ID}}TTL is the argument of Obtain and Refresh.
const {{.ID}}TTL = {{.Go "ttl"}}
{{if .Has "contextDeadline"}}
// {{.ID}}Wait is the deadline of Obtain's context.
const {{.ID}}Wait = {{.Go "contextDeadline"}}
{{end}}{{if .Has "refreshEvery"}}
// {{.ID}}RefreshEvery is between two calls of Refresh.
const {{.ID}}RefreshEvery = {{.Go "refreshEvery"}}
{{end}}
// {{.ID}}CallTimeout is the context of one Refresh and of Release.
const {{.ID}}CallTimeout = {{.Go "refreshTimeout"}}

// {{.ID}}Options are those of Obtain, new for each call: a limit counts.
func {{.ID}}Options() *redislock.Options {
{{- if .Has "backoff"}}
	return &redislock.Options{RetryStrategy: redislock.LimitRetry(redislock.LinearBackoff({{.Go "backoff"}}), {{.Raw "retries"}})}
{{- else}}
	return nil
{{- end}}
}

` + goRedisOptionsCode,

	"rueidislock.go": goHead + `
	"github.com/redis/rueidis/rueidislock"
)
` + goLimits + `
// {{.ID}}Locker sets the timing of a locker.
func {{.ID}}Locker(o *rueidislock.LockerOption) {
	o.KeyValidity = {{.Go "KeyValidity"}}
	o.ExtendInterval = {{.Go "ExtendInterval"}}
	o.TryNextAfter = {{.Go "TryNextAfter"}}
	o.KeyMajority = {{.Raw "KeyMajority"}}
	o.NoLoopTracking = {{.Raw "NoLoopTracking"}}
	o.FallbackSETPX = {{.Raw "FallbackSETPX"}}
}
`,

	"go-zookeeper.go": goHead + `)
` + goLimits + `
// {{.ID}}SessionTimeout is the second argument of zk.Connect. Stop work at
// StateDisconnected.
const {{.ID}}SessionTimeout = {{.Go "sessionTimeout"}}
`,

	"etcd.go": goHead + `
	"go.etcd.io/etcd/client/v3/concurrency"
)
` + goLimits + `
// {{.ID}}Session is the option of concurrency.NewSession.
func {{.ID}}Session() concurrency.SessionOption { return concurrency.WithTTL({{.Raw "ttl"}}) }
`,

	"client-go.go": goHead + `
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
`,

	"consul.go": goHead + `
	"github.com/hashicorp/consul/api"
)
` + goLimits + `
// {{.ID}}Lock sets the timing of a lock.
func {{.ID}}Lock(o *api.LockOptions) {
	o.SessionTTL = "{{.Raw "SessionTTL"}}"
	o.LockDelay = {{.Go "LockDelay"}}
	o.MonitorRetries = {{.Raw "MonitorRetries"}}
	o.MonitorRetryTime = {{.Go "MonitorRetryTime"}}
{{- if .Has "LockWaitTime"}}
	o.LockTryOnce = {{.Raw "LockTryOnce"}}
	o.LockWaitTime = {{.Go "LockWaitTime"}}
{{- end}}
}
`,

	"redisson.java": `package locks;

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
        server.setTimeout({{.Ms "timeout"}});
        server.setRetryAttempts({{.Raw "retryAttempts"}});
{{- if .Before 4 0}}
        server.setRetryInterval({{.Delay}});
{{- else}}
        server.setRetryDelay(new ConstantDelay(Duration.ofMillis({{.Delay}})));
{{- end}}
    }
}
`,

	"zookeeper.java": `package locks;

public final class {{.ID}}Lock {
` + javaLimits + `
    /** Second argument of new ZooKeeper, ms; compare getSessionTimeout(). */
    public static final int SESSION_TIMEOUT_MS = {{.Ms "sessionTimeout"}};

    private {{.ID}}Lock() {}
}
`,

	"curator.java": `package locks;

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
`,

	"spring-integration.java": `package locks;

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
`,

	"shedlock.java": `package locks;

import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;

public final class {{.ID}}Lock {
` + javaLimits + `
    /** For @SchedulerLock. */
    public static final String LOCK_AT_MOST_FOR = "{{.Raw "lockAtMostFor"}}";
    public static final String LOCK_AT_LEAST_FOR = "{{.Raw "lockAtLeastFor"}}";
    /** For the provider's builder. */
    public static final boolean SAFE_UPDATE = {{.Raw "safeUpdate"}};

    private {{.ID}}Lock() {}

    public static LockConfiguration configuration(String name) {
        return new LockConfiguration(Instant.now(), name, Duration.parse(LOCK_AT_MOST_FOR), Duration.parse(LOCK_AT_LEAST_FOR));
    }
}
`,

	"redis-py.py": `from redis.backoff import ConstantBackoff
from redis.retry import Retry

# Arguments of redis.Redis.
CLIENT = {
    "socket_timeout": {{.Sec "socket_timeout"}},
    "socket_connect_timeout": {{.Sec "socket_timeout"}},
    "retry": Retry(ConstantBackoff({{.Sec "retry_backoff_cap"}}), {{.Raw "retries"}}),
}

# Arguments of client.lock.
LOCK = {
    "timeout": {{.Sec "timeout"}},
{{- if .Has "sleep"}}
    "sleep": {{.Sec "sleep"}},
    "blocking_timeout": {{.Sec "blocking_timeout"}},
{{- end}}
}
{{if .Has "reacquire_every"}}
# Seconds between two calls of lock.reacquire().
REACQUIRE_EVERY = {{.Sec "reacquire_every"}}
{{end}}
# Limits that the library does not keep, in seconds.
STOP_WORK = {{.Sec "application.stopWork"}}
{{- if .Has "application.maxHold"}}
MAX_HOLD = {{.Sec "application.maxHold"}}
{{- end}}
`,

	"node-redlock.js": `// Options of new Redlock(clients, settings).
export const settings = {
  driftFactor: {{.Raw "driftFactor"}},
  retryCount: {{.Raw "retryCount"}},
  retryDelay: {{.Ms "retryDelay"}}, // ms
  retryJitter: {{.Ms "retryJitter"}}, // ms
  automaticExtensionThreshold: {{.Ms "automaticExtensionThreshold"}}, // ms
};

// Options of new Redis(…).
export const client = {
  commandTimeout: {{.Ms "commandTimeout"}}, // ms
  maxRetriesPerRequest: {{.Raw "maxRetriesPerRequest"}},
};

// Argument of redlock.{{if eq (.Raw "using") "true"}}using{{else}}acquire{{end}}, ms.
export const duration = {{.Ms "duration"}};

// Limits that the library does not keep, ms.
export const stopWork = {{.Ms "application.stopWork"}};
{{- if .Has "application.maxHold"}}
export const maxHold = {{.Ms "application.maxHold"}};
{{- end}}
`,
}

const goHead = `package locks

import (
	"time"
`

const goLimits = `
// Limits that the library does not keep.
const (
	// {{.ID}}StopWork is S: start no side effect later than this after the last
	// confirmed acquire or renewal was sent.
	{{.ID}}StopWork = {{.Go "application.stopWork"}}
{{- if .Has "application.maxHold"}}
	// {{.ID}}MaxHold ends a hold that is an exception.
	{{.ID}}MaxHold = {{.Go "application.maxHold"}}
{{- end}}
{{- if .Has "application.acquireWait"}}
	// {{.ID}}AcquireWait is the deadline of the acquire call.
	{{.ID}}AcquireWait = {{.Go "application.acquireWait"}}
{{- end}}
)
`

const goRedisOptionsCode = `// {{.ID}}Client sets the timing of a client: a command ends with its context.
func {{.ID}}Client(o *redis.Options) {
	o.ReadTimeout = {{.Go "ReadTimeout"}}
	o.MaxRetries = {{.Raw "MaxRetries"}}
	o.MaxRetryBackoff = {{.Go "MaxRetryBackoff"}}
	o.ContextTimeoutEnabled = {{.Raw "ContextTimeoutEnabled"}}
}
`

const javaLimits = `    /** S: start no side effect later than this after the last confirmed acquire or renewal was sent, ms. */
    public static final long STOP_WORK_MS = {{.Ms "application.stopWork"}}L;
{{- if .Has "application.maxHold"}}
    /** A longer hold is an exception, ms. */
    public static final long MAX_HOLD_MS = {{.Ms "application.maxHold"}}L;
{{- end}}
`
