package library

import "testing"

// leased is a watchdog of 30 s beside a call that may give a lease.
func leased(call string) string {
	return "class R { void f(Config config, RLock lock) {\n config.setLockWatchdogTimeout(30000);\n " + call + ";\n} }\n"
}

const curatorHead = "class C { CuratorFramework f(RetryPolicy given) { return CuratorFrameworkFactory.builder().sessionTimeoutMs(15000)\n"

// javaReadings are the files of TestParseJava, also seeds of FuzzParse.
var javaReadings = map[string]reading{
	"enumeration":       {"spring-integration", "L.java", "r.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);\n", "@1 redisLockType=PUB_SUB_LOCK"},
	"enumeration, type": {"spring-integration", "L.java", "r.setRedisLockType(RedisLockType.SPIN_LOCK);\n", "@1 redisLockType=SPIN_LOCK"},
	"enumeration, static import": {"spring-integration", "L.java", "import static org.x.RedisLockRegistry.RedisLockType.PUB_SUB_LOCK;\nr.setRedisLockType(PUB_SUB_LOCK);\n",
		"@2 redisLockType=PUB_SUB_LOCK"},
	"enumeration, Kotlin":  {"spring-integration", "L.kt", "r.apply { setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK) }\n", "@1 redisLockType=PUB_SUB_LOCK"},
	"enumeration, another": {"spring-integration", "L.java", "r.setRedisLockType(type);\n", `error: L.java:1: redisLockType is set to "type", which is no constant of this file`},

	"n times":          {"curator", "C.java", curatorHead + ".retryPolicy(new RetryNTimes(5, 1_000)).build(); } }\n", "@1 retries=5 retrySleepMs=1000 sessionTimeoutMs=15000"},
	"one time":         {"curator", "C.java", curatorHead + ".retryPolicy(new RetryOneTime((int) 100)).build(); } }\n", `error: C.java:2: retryPolicy is set to "new RetryOneTime((int) 100)"`},
	"exponential":      {"curator", "C.java", curatorHead + ".retryPolicy(new ExponentialBackoffRetry(1000, 3)).build(); } }\n", "@1 retryPolicy=ExponentialBackoffRetry(1000, 3) sessionTimeoutMs=15000"},
	"exponential, max": {"curator", "C.java", "new org.apache.curator.retry.ExponentialBackoffRetry(BASE, 3, 2 * BASE);\nint BASE = 500;\n", "@1 retryPolicy=ExponentialBackoffRetry(500, 3, 1000)"},
	"bounded, Kotlin":  {"curator", "C.kt", "val c = CuratorFrameworkFactory.newClient(\"a\", 15000, 5000, BoundedExponentialBackoffRetry(1000, 4000, 3))\n", "@1 connectionTimeoutMs=5000 retryPolicy=BoundedExponentialBackoffRetry(1000, 4000, 3) sessionTimeoutMs=15000"},
	"one time, named":  {"curator", "C.java", "RetryPolicy once = new RetryOneTime(100);\nCuratorFrameworkFactory.newClient(\"a\", once);\n", "@1 retries=1 retrySleepMs=100"},
	"forever, bean":    {"curator", "C.java", "@Bean RetryPolicy retryPolicy() { return new RetryForever(500); }\nb.retryPolicy(retryPolicy());\n", "@1 retryPolicy=RetryForever(500)"},
	"elapsed":          {"curator", "C.java", "b.retryPolicy(new RetryUntilElapsed(10000, 100));\n", "@1 retryPolicy=RetryUntilElapsed(10000, 100)"},
	"two clients": {"curator", "C.java", "class C {\n a() { b.sessionTimeoutMs(15000).retryPolicy(new RetryOneTime(1)); }\n c() { b.sessionTimeoutMs(9000).retryPolicy(new RetryForever(1)); }\n}\n",
		"line 2@2 retries=1 retrySleepMs=1 sessionTimeoutMs=15000\nline 3@3 retryPolicy=RetryForever(1) sessionTimeoutMs=9000"},
	"policy given":         {"curator", "C.java", curatorHead + ".retryPolicy(given).build(); } }\n", `error: C.java:2: retryPolicy is set to "given", which is no constant of this file`},
	"policy given, client": {"curator", "C.java", "CuratorFrameworkFactory.newClient(\"a\", given);\n", `error: C.java:1: retryPolicy is set to "given", which is no constant of this file`},
	"policy of one's own":  {"curator", "C.java", "b.retryPolicy(new MyRetry(3));\n", `error: C.java:1: retryPolicy is set to "new MyRetry(3)"`},
	"policy out of range":  {"curator", "C.java", "b.retryPolicy(new RetryNTimes(Integer.MAX_VALUE, 100));\n", `error: C.java:1: retryPolicy is set to "new RetryNTimes(Integer.MAX_VALUE, 100)"`},
	"policy of less":       {"curator", "C.java", "b.retryPolicy(new RetryForever());\n", `error: C.java:1: retryPolicy is set to "new RetryForever()"`},
	"cut off":              {"curator", "C.java", "b.sessionTimeoutMs(15000);\nb.retryPolicy(", "@1 sessionTimeoutMs=15000"},
	"another's client":     {"curator", "C.java", "b.sessionTimeoutMs(15000);\nHttp.newClient(\"a\", given);\n", "@1 sessionTimeoutMs=15000"},

	// The overloads of RLock, RLockAsync, RLockReactive, RLockRx and RFencedLock
	// (3.47.0 and 4.7.0): what takes a leaseTime switches the watchdog off.
	"lease":                {"redisson", "R.java", leased("lock.lock(10, TimeUnit.SECONDS)"), "@2 leaseTime=10000 lockWatchdogTimeout=30000"},
	"lease, interruptibly": {"redisson", "R.java", leased("lock.lockInterruptibly(10, TimeUnit.SECONDS)"), "@2 leaseTime=10000 lockWatchdogTimeout=30000"},
	"lease, async":         {"redisson", "R.java", leased("lock.lockAsync(10, SECONDS).get()"), "@2 leaseTime=10000 lockWatchdogTimeout=30000"},
	"lease, async thread":  {"redisson", "R.java", leased("lock.lockAsync(10, TimeUnit.SECONDS, threadId)"), "@2 leaseTime=10000 lockWatchdogTimeout=30000"},
	"lease, try async":     {"redisson", "R.java", leased("lock.tryLockAsync(3, 10, TimeUnit.SECONDS)"), "@2 leaseTime=10000 lockWatchdogTimeout=30000 waitTime=3000"},
	"lease, try thread":    {"redisson", "R.java", leased("lock.tryLockAsync(3, 10, TimeUnit.SECONDS, Thread.currentThread().getId())"), "@2 leaseTime=10000 lockWatchdogTimeout=30000 waitTime=3000"},
	"lease, reactive":      {"redisson", "R.java", leased("lock.lock(10, TimeUnit.SECONDS, threadId).subscribe()"), "@2 leaseTime=10000 lockWatchdogTimeout=30000"},
	"lease, reactive try":  {"redisson", "R.kt", "config.lockWatchdogTimeout = 30000\nval got = lock.tryLock(3, 10, TimeUnit.SECONDS, threadId).awaitSingle()\n", "@1 leaseTime=10000 lockWatchdogTimeout=30000 waitTime=3000"},
	"lease, token":         {"redisson", "R.java", leased("lock.lockAndGetToken(10, TimeUnit.SECONDS)"), "@2 leaseTime=10000 lockWatchdogTimeout=30000"},
	"lease, token async":   {"redisson", "R.java", leased("lock.tryLockAndGetTokenAsync(3, 10, TimeUnit.SECONDS)"), "@2 leaseTime=10000 lockWatchdogTimeout=30000 waitTime=3000"},
	"no lease, try async":  {"redisson", "R.java", leased("lock.tryLockAsync(3, TimeUnit.SECONDS)"), "@2 lockWatchdogTimeout=30000 waitTime=3000"},
	"no lease, thread":     {"redisson", "R.java", leased("lock.lockAsync(threadId)"), "@2 lockWatchdogTimeout=30000"},
	"lease given":          {"redisson", "R.java", leased("lock.lock(10, unit)"), `error: R.java:3: leaseTime is set to "10, unit", which is no constant of this file`},
	"lease, declared":      {"redisson", "R.java", leased("} void lock(long leaseTime, TimeUnit unit) { lock.lock()"), "@2 lockWatchdogTimeout=30000"},

	"keep alive": {"shedlock", "J.java", "@EnableSchedulerLock(defaultLockAtMostFor = \"PT10S\")\nclass J { LockProvider p() { return new KeepAliveLockProvider(new RedisLockProvider(cf, \"prod\"), s); } }\n",
		"@1 keepAlive=true lockAtMostFor=PT10S safeUpdate=false"},
	"keep alive for all": {"shedlock", "J.kt", "@EnableSchedulerLock(defaultLockAtMostFor = \"1m\", defaultLockAtLeastFor = \"PT5S\")\nclass J { fun p() = KeepAliveLockProvider(RedisLockProvider.Builder(cf).safeUpdate(true).build(), s)\n" +
		"@SchedulerLock(name = \"a\", lockAtMostFor = \"2m\")\nfun a() {}\n@SchedulerLock(name = \"b\", lockAtMostFor = \"3m\")\nfun b() {} }\n",
		"line 3@1 keepAlive=true lockAtLeastFor=PT5S lockAtMostFor=2m safeUpdate=true\nline 5@1 keepAlive=true lockAtLeastFor=PT5S lockAtMostFor=3m safeUpdate=true\ndefaults@1 keepAlive=true lockAtLeastFor=PT5S lockAtMostFor=1m safeUpdate=true"},
	"safe by argument":   {"shedlock", "J.java", "new JedisLockProvider(pool, \"prod\", true);\n@SchedulerLock(lockAtMostFor = \"PT50S\") void a() {}\n", "@2 lockAtMostFor=PT50S safeUpdate=true"},
	"unsafe by argument": {"shedlock", "J.java", "new LettuceLockProvider(connection, \"prod\");\n@SchedulerLock(lockAtMostFor = \"PT50S\") void a() {}\n", "@2 lockAtMostFor=PT50S safeUpdate=false"},
	"builder without it": {"shedlock", "J.java", "new RedisLockProvider.Builder(cf).environment(\"prod\").build();\n@SchedulerLock(lockAtMostFor = \"PT50S\") void a() {}\n", "@2 lockAtMostFor=PT50S safeUpdate=false"},
	"two providers": {"shedlock", "J.java", "new RedisLockProvider.Builder(cf).safeUpdate(true).build();\nnew RedisLockProvider(cf, \"dev\");\n@SchedulerLock(lockAtMostFor = \"PT50S\") void a() {}\n",
		"error: J.java:2: safeUpdate is false here and true on line 1: which locks are whose?"},
	"one of two kept alive": {"shedlock", "J.java", "new KeepAliveLockProvider(new RedisLockProvider(cf), s);\nnew JdbcTemplateLockProvider(ds);\n@SchedulerLock(lockAtMostFor = \"PT50S\") void a() {}\n",
		"error: J.java:2: keepAlive is false here and true on line 1: which locks are whose?"},
	"fixed rate":        {"shedlock", "J.java", "@Scheduled(fixedRate = 15 * 60 * 1000)\n@SchedulerLock(name = \"a\", lockAtMostFor = \"14m\")\nvoid a() {}\n", "@1 lockAtMostFor=14m period=900000"},
	"fixed delay, unit": {"shedlock", "J.kt", "@SchedulerLock(name = \"a\", lockAtMostFor = \"14m\")\n@Scheduled(initialDelay = 1, fixedDelayString = \"15\", timeUnit = TimeUnit.MINUTES)\nfun a() {}\n", "@1 lockAtMostFor=14m period=15m"},
	"fixed delay, text": {"shedlock", "J.java", "@Scheduled(fixedDelayString = \"${jobs.every:PT15M}\") @SchedulerLock(name = \"a\", lockAtMostFor = \"14m\") void a() {}\n", "@1 lockAtMostFor=14m period=PT15M"},
	"cron": {"shedlock", "J.java", "@Scheduled(cron = \"0 0,10,15 * * * *\")\n@SchedulerLock(name = \"a\", lockAtMostFor = \"14m\")\nvoid a() {}\n" +
		"@Scheduled(cron = \"0 0 0 L * *\")\n@SchedulerLock(name = \"b\", lockAtMostFor = \"4m\")\nvoid b() {}\n", "line 2@1 lockAtMostFor=14m period=PT2700S\nline 5@5 lockAtMostFor=4m"},
	"schedules not known": {"shedlock", "J.java", "@Scheduled(fixedRate = RATE) void c() {}\n@Scheduled(fixedRateString = \"${jobs.every}\")\n@SchedulerLock(name = \"a\", lockAtMostFor = \"14m\")\nvoid a() {}\n" +
		"@SchedulerLock(name = \"b\", lockAtMostFor = \"4m\")\nvoid b() {}\n", "line 3@3 lockAtMostFor=14m\nline 5@5 lockAtMostFor=4m"},
	"only a provider": {"shedlock", "J.java", "new KeepAliveLockProvider(inner, s);\n", "@1 keepAlive=true"},
	"placeholder, Java": {"shedlock", "J.java", "@SchedulerLock(lockAtMostFor = \"${jobs.most:PT1M}\", lockAtLeastFor = \"${jobs.least}\") void a() {}\n",
		"@1 lockAtLeastFor?comes from the environment and has no default lockAtMostFor=PT1M"},
	"placeholder, Kotlin": {"shedlock", "J.kt", "@SchedulerLock(lockAtMostFor = \"\\${jobs.most:PT1M}\")\nfun a() {}\n", "@1 lockAtMostFor=PT1M"},
	"jdbc": {"shedlock", "J.java", "import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;\nclass J { @Bean LockProvider lockProvider(DataSource ds) { return new JdbcTemplateLockProvider(ds); }\n@SchedulerLock(name = \"a\", lockAtMostFor = \"PT50S\") void a() {} }\n",
		"@3 lockAtMostFor=PT50S lockProvider=other"},
	"mongo, Kotlin":         {"shedlock", "J.kt", "fun lockProvider(c: MongoClient) = KeepAliveLockProvider(MongoLockProvider(c.getDatabase(\"a\")), s)\n@SchedulerLock(lockAtMostFor = \"PT50S\")\nfun a() {}\n", "@2 keepAlive=true lockAtMostFor=PT50S lockProvider=other"},
	"jdbc and redis":        {"shedlock", "J.java", "new JdbcTemplateLockProvider(ds);\nnew RedisLockProvider(cf, \"dev\");\n@SchedulerLock(lockAtMostFor = \"PT50S\") void a() {}\n", "@3 lockAtMostFor=PT50S safeUpdate=false"},
	"provider of one's own": {"shedlock", "J.java", "new TenantLockProvider(inner);\n@SchedulerLock(lockAtMostFor = \"PT50S\") void a() {}\n", "@2 lockAtMostFor=PT50S"},
	"lock by hand": {"shedlock", "J.java", "executor.executeWithLock(task, new LockConfiguration(Instant.now(), \"x\", Duration.ofMinutes(5), Duration.ZERO));\n",
		"@1 lockAtLeastFor=PT0S lockAtMostFor=PT300S"},
}

// TestParseJava: what Java and Kotlin programs say of a lock in the words of
// its library: constants of enumerations, retry policies, providers.
func TestParseJava(t *testing.T) {
	for name, r := range javaReadings {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}
