import java.io.File;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RBucket;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** Prints what Redisson makes of configuration, and how long it takes on a frozen server. */
public final class RedissonProbe {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "yaml": for (int i = 1; i < args.length; i++) yaml(args[i]); break;
            case "frozen": frozen(args[1]); break;
            case "watchdog": watchdog(args[1], args[2]); break;
            case "short": for (int i = 2; i < args.length; i++) shortWatchdog(args[1], Long.parseLong(args[i])); break;
            case "fair": fair(args[1], args[2], Integer.parseInt(args[3])); break;
            case "keys": for (int i = 1; i < args.length; i++) keys(args[i].substring(0, args[i].indexOf(':')), args[i].substring(args[i].indexOf(':') + 1).split(",")); break;
            case "setters": setters(); break;
            default: throw new IllegalArgumentException(args[0]);
        }
        System.exit(0);
    }

    static void yaml(String file) {
        try {
            Config c = Config.fromYAML(new File(file));
            print(new File(file).getName(), c, server(c));
        } catch (Exception e) {
            System.out.printf("{\"service\": \"%s\", \"taken\": false}%n", new File(file).getName());
        }
    }

    /** The keys that the loader knows at the root, "", or in a mode's block: of the names and of all that have a setter. */
    static void keys(String block, String[] names) throws Exception {
        TreeSet<String> known = new TreeSet<>(), all = new TreeSet<>(Arrays.asList(names));
        Class<?> type = block.isEmpty() ? Config.class : Class.forName("org.redisson.config." + Character.toUpperCase(block.charAt(0)) + block.substring(1));
        for (Method m : type.getMethods()) {
            String name = m.getName();
            if (name.startsWith("set") && m.getParameterCount() == 1) all.add(Character.toLowerCase(name.charAt(3)) + name.substring(4));
        }
        for (String name : all) {
            if (knows(block.isEmpty() ? name + ":\n" : block + ":\n  " + name + ":\n")) known.add("\"" + name + "\"");
        }
        System.out.printf("{\"block\": \"%s\", \"known\": %s}%n", block, known);
    }

    /** Whether a text is refused for another reason than a key that nobody knows. */
    static boolean knows(String text) {
        try {
            Config.fromYAML(text);
            return true;
        } catch (Exception e) {
            for (Throwable t = e; t != null; t = t.getCause()) {
                String why = String.valueOf(t.getMessage()); // of Jackson, up to 3.52, and of SnakeYAML
                if (why.contains("Unrecognized field") || why.contains("\"property\" is null")) return false;
            }
            return true;
        }
    }

    /** Both setters of the delay in Java, whatever the loader of YAML makes of them. */
    static void setters() throws Exception {
        Config c = new Config();
        SingleServerConfig s = c.useSingleServer();
        s.setRetryInterval(200);
        print("setRetryInterval(200)", c, s);
        setDelay(s, 300);
        print("setRetryDelay(new ConstantDelay(Duration.ofMillis(300)))", c, s);
    }

    /** The getters' values, by lockplan's keys. */
    static void print(String service, Config c, BaseConfig<?> s) throws Exception {
        System.out.printf("{\"service\": \"%s\", \"taken\": true, \"block\": \"%s\", \"lockWatchdogTimeout\": %d, \"slavesSyncTimeout\": %s, \"fairLockWaitTimeout\": %s, \"timeout\": %d, \"retryAttempts\": %d, \"delay\": %d}%n",
            service, s.getClass().getSimpleName(), c.getLockWatchdogTimeout(), root(c, "getSlavesSyncTimeout"), root(c, "getFairLockWaitTimeout"), s.getTimeout(), s.getRetryAttempts(), delay(s));
    }

    /** A getter's value, null where the version does not have it. */
    static Object root(Config c, String getter) throws Exception {
        try {
            Method m = Config.class.getDeclaredMethod(getter);
            m.setAccessible(true);
            return m.invoke(c);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** The block of the mode that a file is for. */
    static BaseConfig<?> server(Config c) throws Exception {
        for (String mode : new String[] {"SingleServer", "SentinelServers", "ClusterServers", "ReplicatedServers", "MasterSlaveServers"}) {
            Object block = root(c, "get" + mode + "Config");
            if (block != null) return (BaseConfig<?>) block;
        }
        throw new IllegalArgumentException("no mode");
    }

    /** The delay after the first attempt in ms, by whichever name the version has. */
    static long delay(BaseConfig<?> s) throws Exception {
        try {
            Object strategy = BaseConfig.class.getMethod("getRetryDelay").invoke(s);
            Method calc = Class.forName("org.redisson.config.DelayStrategy").getMethod("calcDelay", int.class);
            return ((Duration) calc.invoke(strategy, 0)).toMillis();
        } catch (NoSuchMethodException e) {
            return ((Number) BaseConfig.class.getMethod("getRetryInterval").invoke(s)).longValue();
        }
    }

    static void setDelay(BaseConfig<?> s, long ms) throws Exception {
        try {
            Class<?> strategy = Class.forName("org.redisson.config.DelayStrategy");
            Object constant = Class.forName("org.redisson.config.ConstantDelay").getConstructor(Duration.class).newInstance(Duration.ofMillis(ms));
            BaseConfig.class.getMethod("setRetryDelay", strategy).invoke(s, constant);
        } catch (ClassNotFoundException e) {
            BaseConfig.class.getMethod("setRetryInterval", int.class).invoke(s, (int) ms);
        }
    }

    static RedissonClient client(String addr, long watchdog, int timeout, int attempts, long delay) throws Exception {
        Config c = new Config();
        c.setLockWatchdogTimeout(watchdog);
        SingleServerConfig s = c.useSingleServer();
        s.setAddress("redis://" + addr).setTimeout(timeout).setRetryAttempts(attempts);
        s.setConnectionMinimumIdleSize(1).setConnectionPoolSize(2).setPingConnectionInterval(0);
        setDelay(s, delay);
        return Redisson.create(c);
    }

    /** The article's baseline: 200 ms, 3 retries, 200 ms between. */
    static void frozen(String addr) throws Exception {
        RedissonClient r = client(addr, 30000, 200, 3, 200);
        RBucket<String> b = r.getBucket("frozen");
        b.get();
        RLock lock = r.getLock("frozen-lock");
        lock.tryLock();
        lock.unlock();
        System.out.println("{\"ready\": true}");
        System.in.read();
        System.out.printf("{\"get_ms\": %d}%n", time(() -> b.get()));
        System.out.printf("{\"trylock_ms\": %d}%n", time(() -> lock.tryLock()));
    }

    interface Call { void run() throws Exception; }

    static long time(Call call) {
        long start = System.nanoTime();
        try {
            call.run();
        } catch (Exception e) {
            // a timeout is what is measured
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /** Freezes the server over one renewal and says whether the lock is renewed after that. */
    static void watchdog(String proxy, String direct) throws Exception {
        RedissonClient r = client(proxy, 6000, 300, 0, 100);
        r.getLock("watchdog").lock();
        Thread.sleep(1500);
        System.out.println("{\"ready\": true}");
        System.in.read();
        Thread.sleep(1700);
        System.out.println("{\"thaw\": true}");
        Thread.sleep(10000);
        RedissonClient other = client(direct, 6000, 1000, 3, 100);
        System.out.printf("{\"held\": %b}%n", other.getLock("watchdog").isLocked());
    }

    /** What is left of a lock at worst while its watchdog renews it for 3 s; below 0 it was lost. */
    static void shortWatchdog(String addr, long watchdog) throws Exception {
        RedissonClient r = client(addr, watchdog, 1000, 3, 100), other = client(addr, 30000, 1000, 3, 100);
        String name = "short" + watchdog;
        r.getLock(name).lock();
        long least = Long.MAX_VALUE, end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        while (System.nanoTime() < end) {
            least = Math.min(least, other.getLock(name).remainTimeToLive());
            Thread.sleep(2);
        }
        System.out.printf("{\"watchdog\": %d, \"least_ms\": %d}%n", watchdog, least);
    }

    /** When a fair lock of 2 s is got behind waiters that die, where dead waiters keep their place for 3 s. */
    static void fair(String proxy, String direct, int waiters) throws Exception {
        RedissonClient holder = fairClient(direct), dead = fairClient(proxy), next = fairClient(direct);
        String name = "fair" + waiters;
        dead.getFairLock("warm").lock(2, TimeUnit.SECONDS);
        holder.getFairLock(name).lock(2, TimeUnit.SECONDS);
        long start = System.nanoTime();
        for (int i = 0; i < waiters; i++) {
            Thread waiter = new Thread(() -> time(() -> dead.getFairLock(name).lock()));
            waiter.setDaemon(true);
            waiter.start();
        }
        while (holder.getList("redisson_lock_queue:{" + name + "}", StringCodec.INSTANCE).size() < waiters) Thread.sleep(20);
        System.out.println("{\"ready\": true}");
        System.in.read();
        next.getFairLock(name).lock();
        System.out.printf("{\"ms\": %d}%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }

    static RedissonClient fairClient(String addr) throws Exception {
        Config c = new Config();
        Config.class.getMethod("setFairLockWaitTimeout", long.class).invoke(c, 3000L); // from 3.46 on
        c.useSingleServer().setAddress("redis://" + addr).setConnectionMinimumIdleSize(1).setConnectionPoolSize(4).setPingConnectionInterval(0);
        return Redisson.create(c);
    }
}
