import java.lang.reflect.Field;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.apache.curator.RetryPolicy;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.SessionConnectionStateErrorPolicy;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.retry.RetryOneTime;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Curator, ShedLock and Spring Integration at the edges of their ranges. */
public final class JvmProbe {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "curator-edge": for (int i = 1; i < args.length; i++) curatorEdge(Integer.parseInt(args[i])); break;
            case "curator-lost": curatorLost(args[1], Integer.parseInt(args[2]), Integer.parseInt(args[3])); break;
            case "curator-retry": for (int i = 1; i < args.length; i++) curatorRetry(args[i]); break;
            case "curator-acquire": curatorAcquire(args[1]); break;
            case "shedlock-edge": for (int i = 1; i + 2 < args.length; i += 3) shedlockEdge(args[i], args[i + 1], args[i + 2]); break;
            case "shedlock-keepalive": shedlockKeepAlive(args[1].equals("true")); break;
            default: throw new IllegalArgumentException(args[0]);
        }
        System.exit(0);
    }

    static void curatorEdge(int percent) {
        boolean taken = true;
        try {
            CuratorFrameworkFactory.builder().connectString("127.0.0.1:1").retryPolicy(new RetryOneTime(1)).simulatedSessionExpirationPercent(percent).build();
        } catch (IllegalArgumentException e) {
            taken = false;
        }
        System.out.printf("{\"percent\": %d, \"taken\": %b}%n", percent, taken);
    }

    /** When SUSPENDED and LOST come after the server froze. */
    static void curatorLost(String addr, int session, int percent) throws Exception {
        CuratorFramework c = CuratorFrameworkFactory.builder().connectString(addr).sessionTimeoutMs(session).connectionTimeoutMs(2000)
            .retryPolicy(new RetryOneTime(1)).connectionStateErrorPolicy(new SessionConnectionStateErrorPolicy())
            .simulatedSessionExpirationPercent(percent).build();
        long[] start = new long[1];
        Object done = new Object();
        c.getConnectionStateListenable().addListener((client, state) -> {
            System.out.printf("{\"state\": \"%s\", \"ms\": %d}%n", state, start[0] == 0 ? -1 : (System.nanoTime() - start[0]) / 1000000);
            if (state.name().equals("LOST")) {
                synchronized (done) { done.notify(); }
            }
        });
        c.start();
        c.blockUntilConnected();
        c.checkExists().forPath("/");
        start[0] = System.nanoTime();
        System.out.println("{\"ready\": true}");
        System.in.read();
        synchronized (done) { done.wait(60000); }
    }

    /** The worst of 2000 calls under a policy, such as RetryNTimes(3,100), whose first try fails after 500 ms and every further one after 1 s. */
    static void curatorRetry(String text) throws Exception {
        String[] parts = text.split("[(,)] *");
        int[] tries = {0};
        long[] longest = {0}, worst = {0}, elapsed = {0};
        for (int round = 0; round < 2000; round++) {
            RetryPolicy policy = null;
            for (var c : Class.forName("org.apache.curator.retry." + parts[0]).getConstructors()) {
                if (c.getParameterCount() == parts.length - 1) {
                    policy = (RetryPolicy) c.newInstance(Arrays.stream(parts).skip(1).map(Integer::valueOf).toArray());
                }
            }
            int count = 0;
            elapsed[0] = 500;
            while (count < 100 && policy.allowRetry(count, elapsed[0], (time, unit) -> {
                longest[0] = Math.max(longest[0], unit.toMillis(time));
                elapsed[0] += unit.toMillis(time);
            })) {
                count++;
                elapsed[0] += 1000;
            }
            tries[0] = Math.max(tries[0], count);
            worst[0] = Math.max(worst[0], elapsed[0]);
        }
        System.out.printf("{\"policy\": \"%s\", \"tries\": %d, \"longest_ms\": %d, \"worst_ms\": %d}%n", text, tries[0], longest[0], worst[0]);
    }

    /** How long acquire(1 s) takes on a frozen server, with two tries of 1 s to connect. */
    static void curatorAcquire(String addr) throws Exception {
        CuratorFramework c = CuratorFrameworkFactory.builder().connectString(addr).sessionTimeoutMs(6000).connectionTimeoutMs(1000)
            .retryPolicy(new RetryNTimes(1, 0)).build();
        c.start();
        c.blockUntilConnected();
        InterProcessMutex mutex = new InterProcessMutex(c, "/acquire");
        mutex.acquire(1, TimeUnit.SECONDS);
        mutex.release();
        System.out.println("{\"ready\": true}");
        System.in.read();
        long start = System.nanoTime();
        boolean thrown = false;
        try {
            mutex.acquire(1, TimeUnit.SECONDS);
        } catch (Exception e) {
            thrown = true;
        }
        System.out.printf("{\"ms\": %d, \"thrown\": %b}%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start), thrown);
    }

    static void shedlockEdge(String most, String least, String keep) {
        boolean taken = true;
        try {
            LockConfiguration conf = new LockConfiguration(Instant.now(), "probe", Duration.parse(most), Duration.parse(least));
            if (keep.equals("true")) {
                ExtensibleLockProvider provider = c -> Optional.of(new SimpleLock() { public void unlock() {} });
                new KeepAliveLockProvider(provider, Executors.newScheduledThreadPool(1)).lock(conf);
            }
        } catch (IllegalArgumentException e) {
            taken = false;
        }
        System.out.printf("{\"most\": \"%s\", \"least\": \"%s\", \"keep\": \"%s\", \"taken\": %b}%n", most, least, keep, taken);
    }

    /** How often KeepAlive extends a lock of 30 s within 50 s, when the first extension throws or not. */
    static void shedlockKeepAlive(boolean failing) throws Exception {
        AtomicInteger extended = new AtomicInteger();
        class Lock implements SimpleLock {
            public void unlock() {}
            public Optional<SimpleLock> extend(Duration most, Duration least) {
                if (extended.incrementAndGet() == 1 && failing) throw new IllegalStateException("the store does not answer");
                return Optional.of(new Lock());
            }
        }
        ExtensibleLockProvider provider = c -> Optional.of(new Lock());
        new KeepAliveLockProvider(provider, Executors.newScheduledThreadPool(1))
            .lock(new LockConfiguration(Instant.now(), "probe", Duration.ofSeconds(30), Duration.ZERO));
        Thread.sleep(50000);
        System.out.printf("{\"extended\": %d}%n", extended.get());
    }

    /** A registry's own numbers, for Grid. */
    static String spring(RedisLockRegistry registry) throws Exception {
        Field expire = RedisLockRegistry.class.getDeclaredField("expireAfter");
        Field idle = RedisLockRegistry.class.getDeclaredField("idleBetweenTries");
        expire.setAccessible(true);
        idle.setAccessible(true);
        Object e = expire.get(registry);
        long millis = e instanceof Duration ? ((Duration) e).toMillis() : ((Number) e).longValue();
        return String.format("\"expireAfter\": %d, \"idleBetweenTries\": %d", millis, ((Duration) idle.get(registry)).toMillis());
    }

    static LettuceConnectionFactory factory() { return new LettuceConnectionFactory("127.0.0.1", 1); }
}
