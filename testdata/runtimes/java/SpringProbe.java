import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.redisson.api.RedissonClient;
import org.redisson.spring.starter.RedissonAutoConfigurationV2;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.convert.ConversionException;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** What Spring Boot makes of its configuration, and how long RedisLockRegistry takes. */
public final class SpringProbe {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "boot": for (int i = 1; i < args.length; i++) boot(args[i]); break;
            case "environment": boot("optional:none"); break;
            case "nested": for (int i = 1; i < args.length; i++) nested(args[i]); break;
            case "edges": edges(args[1], args[2].split(","), args[3].split(","), args[4].split(",")); break;
            case "waits": for (String type : args[2].split(",")) waits(args[1], type, Long.parseLong(args[3])); break;
            case "renewal": renewal(args[1], args[2]); break;
            case "shedlock": shedlock(args[1], false); shedlock(args[1], true); break;
            case "frozen": frozen(args[1], Long.parseLong(args[2]), Long.parseLong(args[3])); break;
            default: throw new IllegalArgumentException(args[0]);
        }
        System.exit(0);
    }

    static ConfigurableApplicationContext start(Class<?> configuration, String file) {
        return new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE).bannerMode(Banner.Mode.OFF)
            .properties("spring.config.location=" + (file.startsWith("optional:") ? file : "file:" + file), "logging.level.root=off").run();
    }

    /** The client that Boot makes from a file, and the values that an application binds. */
    static void boot(String file) {
        try (ConfigurableApplicationContext context = start(RedisAutoConfiguration.class, file)) {
            LettuceClientConfiguration client = context.getBean(LettuceConnectionFactory.class).getClientConfiguration();
            Binder binder = Binder.get(context.getEnvironment());
            System.out.printf("{\"service\": \"%s\", \"spring.data.redis.timeout\": %d, \"spring.data.redis.connect-timeout\": %d, \"expireAfter\": %d, "
                    + "\"idleBetweenTries\": %d, \"waitTime\": %d, \"renewalTaskScheduler\": %b}%n",
                new File(file).getName(), client.getCommandTimeout().toMillis(), client.getClientOptions().get().getSocketOptions().getConnectTimeout().toMillis(),
                number(binder, "expire-after"), number(binder, "idle-between-tries"), number(binder, "wait-time"), binder.bind("renewal-task-scheduler", Boolean.class).orElse(false));
        }
    }

    static long number(Binder binder, String key) { return binder.bind(key, Long.class).orElse(-1L); }

    /** The Redisson that the starter makes from the text nested in an application.yaml. */
    static void nested(String file) throws Exception {
        try (ConfigurableApplicationContext context = start(RedissonAutoConfigurationV2.class, file)) {
            var config = context.getBean(RedissonClient.class).getConfig();
            RedissonProbe.print(new File(file).getName(), config, RedissonProbe.server(config));
        }
    }

    static void edges(String addr, String[] durations, String[] types, String[] leases) {
        for (String text : durations) duration(text);
        for (String text : types) type(text);
        for (String text : leases) lease(addr, Long.parseLong(text));
    }

    /** What Boot's binder makes of the text of a Duration. */
    static void duration(String text) {
        boolean taken = true;
        Duration d = Duration.ZERO;
        try {
            d = ApplicationConversionService.getSharedInstance().convert(text, Duration.class);
        } catch (ConversionException e) {
            taken = false;
        }
        System.out.printf("{\"text\": \"%s\", \"taken\": %b, \"ns\": %d, \"shedlock_ns\": %d}%n", text, taken, d.toNanos(), shedlock(text));
    }

    /** What ShedLock makes of the text of a lockAtMostFor; -1 is nothing. */
    static long shedlock(String text) {
        try {
            Class<?> converter = Class.forName("net.javacrumbs.shedlock.spring.aop.StringToDurationConverter");
            Field instance = converter.getDeclaredField("INSTANCE");
            instance.setAccessible(true);
            Method convert = converter.getMethod("convert", String.class);
            convert.setAccessible(true);
            return ((Duration) convert.invoke(instance.get(null), text)).toNanos();
        } catch (InvocationTargetException e) {
            return -1;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether a lock of an expireAfter can be had, and what is left of it. */
    static void lease(String addr, long expireAfter) {
        boolean taken = false;
        long left = 0;
        LettuceConnectionFactory factory = factory(addr, 2000);
        try {
            taken = new RedisLockRegistry(factory, "lease", expireAfter).obtain("k" + expireAfter).tryLock();
            left = new StringRedisTemplate(factory).getExpire("lease:k" + expireAfter, TimeUnit.MILLISECONDS);
        } catch (RuntimeException e) {
            // refused
        }
        System.out.printf("{\"expireAfter\": %d, \"taken\": %b, \"pttl_ms\": %d}%n", expireAfter, taken, left);
    }

    static void type(String text) {
        boolean taken = true;
        try {
            ApplicationConversionService.getSharedInstance().convert(text, RedisLockType.class);
        } catch (ConversionException e) {
            taken = false;
        }
        System.out.printf("{\"type\": \"%s\", \"taken\": %b}%n", text, taken);
    }

    static LettuceConnectionFactory factory(String addr, long timeout) {
        String[] at = addr.split(":");
        LettuceConnectionFactory factory = new LettuceConnectionFactory(new RedisStandaloneConfiguration(at[0], Integer.parseInt(at[1])),
            LettuceClientConfiguration.builder().commandTimeout(Duration.ofMillis(timeout)).build());
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    static RedisLockRegistry registry(LettuceConnectionFactory factory, String type, long expireAfter) {
        RedisLockRegistry registry = new RedisLockRegistry(factory, "probe", expireAfter);
        registry.setRedisLockType(RedisLockType.valueOf(type));
        return registry;
    }

    interface Call { void run() throws Exception; }

    static long time(Call call) {
        long start = System.nanoTime();
        try {
            call.run();
        } catch (Exception e) {
            // how long it took is what is measured
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /**
     * tryLock(wait) of a lock that another process holds: alone; behind a thread of this process that waits as well; and with
     * that and an unlock message just before the end, whose lock somebody else got.
     */
    static void waits(String addr, String type, long wait) throws Exception {
        LettuceConnectionFactory factory = factory(addr, 2000);
        registry(factory, "SPIN_LOCK", 60000).obtain(type).lock();
        RedisLockRegistry registry = registry(factory, type, 60000);
        Lock lock = registry.obtain(type);
        lock.tryLock(1, TimeUnit.MILLISECONDS); // the listener starts with the first wait
        long alone = time(() -> lock.tryLock(wait, TimeUnit.MILLISECONDS));
        long behind = behind(lock, wait);
        Thread message = new Thread(() -> {
            try {
                Thread.sleep(2 * wait - wait / 5);
                new StringRedisTemplate(factory).convertAndSend("probe-channel", "probe:" + type);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        message.start();
        long woken = behind(lock, wait);
        System.out.printf("{\"type\": \"%s\", \"alone_ms\": %d, \"behind_ms\": %d, \"woken_ms\": %d, \"crash_ms\": %d, \"timed_ms\": %d}%n", type, alone, behind, woken,
            crash(factory, type, 2 * wait, 0), crash(factory, type, wait, wait * 3 / 2));
    }

    static long behind(Lock lock, long wait) throws Exception {
        Thread first = new Thread(() -> time(() -> lock.tryLock(wait, TimeUnit.MILLISECONDS)));
        first.start();
        Thread.sleep(wait / 5);
        long ms = time(() -> lock.tryLock(wait, TimeUnit.MILLISECONDS));
        first.join();
        return ms;
    }

    /** How long after a crash lock(), or tryLock(wait), returns, when the waiter comes just before the lease ends. */
    static long crash(LettuceConnectionFactory factory, String type, long expireAfter, long wait) throws Exception {
        RedisLockRegistry waiter = registry(factory, type, expireAfter);
        String key = "crash" + wait + type;
        Lock lock = waiter.obtain(key);
        registry(factory, "SPIN_LOCK", 60000).obtain("warm" + key).lock();
        waiter.obtain("warm" + key).tryLock(1, TimeUnit.MILLISECONDS); // the listener starts with the first wait
        Thread holder = new Thread(registry(factory, "SPIN_LOCK", expireAfter).obtain(key)::lock);
        holder.start();
        holder.join();
        long start = System.nanoTime();
        Thread.sleep(expireAfter * 9 / 10);
        if (wait == 0) {
            lock.lock();
        } else if (!lock.tryLock(wait, TimeUnit.MILLISECONDS)) {
            return -1;
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    static boolean connected(Lock lock) {
        try {
            lock.lock();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** How long tryLock and unlock take on a frozen server; a call that does not return within limit says -1. */
    static void frozen(String addr, long timeout, long limit) throws Exception {
        LettuceConnectionFactory factory = factory(addr, timeout);
        RedisLockRegistry registry = registry(factory, "SPIN_LOCK", 60000);
        Lock held = registry.obtain("held"), other = registry.obtain("other");
        CountDownLatch cold = new CountDownLatch(1), frozen = new CountDownLatch(1);
        Thread worker = new Thread(() -> {
            while (!connected(held)) {} // the timeout bounds the first handshake too, which a cold JVM misses
            cold.countDown();
            time(frozen::await);
            System.out.printf("{\"unlock_ms\": %d}%n", time(held::unlock));
            System.out.printf("{\"trylock_ms\": %d}%n", time(other::tryLock));
        });
        worker.setDaemon(true);
        worker.start();
        cold.await();
        System.out.println("{\"ready\": true}");
        System.in.read();
        frozen.countDown();
        worker.join(limit);
        if (worker.isAlive()) System.out.println("{\"unlock_ms\": -1}");
    }

    /** Freezes the server over one renewal and says whether the lock is renewed after that. */
    static void renewal(String proxy, String direct) throws Exception {
        LettuceConnectionFactory factory = factory(proxy, 300);
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.initialize();
        RedisLockRegistry registry = registry(factory, "SPIN_LOCK", 6000);
        registry.setRenewalTaskScheduler(scheduler);
        while (!connected(registry.obtain("renewed"))) {}
        Thread.sleep(1500);
        System.out.println("{\"ready\": true}");
        System.in.read();
        Thread.sleep(1700);
        System.out.println("{\"thaw\": true}");
        Thread.sleep(8000);
        System.out.printf("{\"held\": %b}%n", new StringRedisTemplate(factory(direct, 2000)).hasKey("probe:renewed"));
    }

    /** Whether the late unlock of a job that overran leaves the next one's lock alone. */
    static void shedlock(String addr, boolean safe) throws Exception {
        LettuceConnectionFactory factory = factory(addr, 2000);
        RedisLockProvider provider = new RedisLockProvider.Builder(factory).safeUpdate(safe).build();
        SimpleLock late = provider.lock(new LockConfiguration(Instant.now(), "job", Duration.ofMillis(300), Duration.ZERO)).get();
        Thread.sleep(400);
        SimpleLock next = provider.lock(new LockConfiguration(Instant.now(), "job", Duration.ofMinutes(1), Duration.ZERO)).get();
        late.unlock();
        boolean kept = !new StringRedisTemplate(factory).keys("*job").isEmpty();
        next.unlock();
        System.out.printf("{\"safe\": %b, \"kept\": %b}%n", safe, kept);
    }
}
