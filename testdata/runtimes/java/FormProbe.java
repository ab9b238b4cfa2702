import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.File;
import java.io.Reader;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import net.javacrumbs.shedlock.core.LockConfiguration;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.SessionConnectionStateErrorPolicy;
import org.apache.curator.framework.state.StandardConnectionStateErrorPolicy;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;
import org.redisson.config.SingleServerConfig;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.yaml.snakeyaml.Yaml;

/** LIBRARY FORM FILE ...: an application that keeps its lock's numbers in a file: it loads the file as Java programs do and builds the library's object. */
public final class FormProbe {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i + 2 < args.length; i += 3) {
            Map<String, Object> own = new LinkedHashMap<>();
            Values values = load(args[i + 1], args[i + 2]);
            switch (args[i]) {
                case "redisson": redisson(values, own); break;
                case "spring-integration": springIntegration(values, own); break;
                case "shedlock": shedlock(values, own); break;
                case "curator": curator(values, own); break;
                case "zookeeper": zookeeper(values, own); break;
                default: throw new IllegalArgumentException(args[i]);
            }
            for (String limit : new String[] {"stopWork", "maxHold", "unlockRetry", "acquireWait"}) { // the application's own
                String text = values.get("application." + limit);
                if (text != null) own.put("application." + limit, text);
            }
            own.put("service", new File(args[i + 2]).getName());
            System.out.println(new ObjectMapper().writeValueAsString(own));
        }
        System.exit(0);
    }

    /** A loaded file: a key's text, null where the file has no such key. */
    interface Values {
        String get(String key);
        default int number(String key) { return Integer.parseInt(get(key)); }
    }

    static Values load(String form, String file) throws Exception {
        switch (form) {
            case "properties": {
                Properties p = new Properties();
                try (Reader r = Files.newBufferedReader(new File(file).toPath())) {
                    p.load(r);
                }
                return p::getProperty;
            }
            case "env": return key -> System.getenv(variable(key));
            case "json": { // the unit stands in the name
                JsonNode root = new ObjectMapper().readTree(new File(file));
                return key -> text(root.has(key) ? root.get(key) : root.get(key + "_ms"));
            }
            case "toml": {
                JsonNode root = new TomlMapper().readTree(new File(file));
                return key -> text(root.at("/" + key.replace('.', '/')));
            }
            case "yaml": {
                Map<String, Object> root;
                try (Reader r = Files.newBufferedReader(new File(file).toPath())) {
                    root = new Yaml().load(r);
                }
                JsonNode tree = new ObjectMapper().valueToTree(root);
                return key -> text(tree.at("/" + key.replace('.', '/')));
            }
            default: throw new IllegalArgumentException(form);
        }
    }

    /** A key's variable: Spring's has no dashes, the server's is what its image reads. */
    static String variable(String key) {
        if (key.equals("tickTime")) return "ZOO_TICK_TIME";
        String name = key.startsWith("spring.") ? key.replace("-", "") : key.replaceAll("([a-z])([A-Z])", "$1_$2");
        return name.replaceAll("[.-]", "_").toUpperCase();
    }

    static String text(JsonNode n) { return n == null || n.isMissingNode() ? null : n.asText(); }

    static void redisson(Values v, Map<String, Object> own) throws Exception {
        Config c = new Config();
        if (v.get("lockWatchdogTimeout") != null) {
            c.setLockWatchdogTimeout(Long.parseLong(v.get("lockWatchdogTimeout")));
            own.put("lockWatchdogTimeout", c.getLockWatchdogTimeout());
        }
        SingleServerConfig s = c.useSingleServer();
        s.setTimeout(v.number("timeout")).setRetryAttempts(v.number("retryAttempts"));
        own.put("timeout", s.getTimeout());
        own.put("retryAttempts", s.getRetryAttempts());
        if (v.get("retryInterval") != null) {
            s.setRetryDelay(new ConstantDelay(Duration.ofMillis(v.number("retryInterval"))));
            own.put("retryInterval", s.getRetryDelay().calcDelay(0).toMillis());
        } else { // from 4.0 on: the strategy as Redisson's own YAML spells it
            s.setRetryDelay(Config.fromYAML("singleServerConfig:\n  address: redis://127.0.0.1:1\n  retryDelay: " + v.get("retryDelay")).useSingleServer().getRetryDelay());
            own.put("retryDelay", "!<" + s.getRetryDelay().getClass().getName() + "> {delay: " + s.getRetryDelay().calcDelay(0) + "}");
        }
        for (String argument : new String[] {"waitTime", "leaseTime"}) {
            if (v.get(argument) != null) own.put(argument, Long.parseLong(v.get(argument)));
        }
    }

    static void springIntegration(Values v, Map<String, Object> own) throws Exception {
        LettuceClientConfiguration client = LettuceClientConfiguration.builder().commandTimeout(Duration.parse(v.get("spring.data.redis.timeout"))).build();
        RedisLockRegistry registry = new RedisLockRegistry(new LettuceConnectionFactory(new RedisStandaloneConfiguration(), client), "x", Long.parseLong(v.get("expireAfter")));
        own.put("spring.data.redis.timeout", client.getCommandTimeout().toMillis());
        own.put("spring.data.redis.connect-timeout", Duration.parse(v.get("spring.data.redis.connect-timeout")).toMillis());
        own.put("expireAfter", field(registry, "expireAfter"));
        own.put("renewalTaskScheduler", Boolean.parseBoolean(v.get("renewalTaskScheduler")));
        if (v.get("idleBetweenTries") != null) {
            registry.setIdleBetweenTries(Duration.ofMillis(v.number("idleBetweenTries")));
            own.put("idleBetweenTries", ((Duration) field(registry, "idleBetweenTries")).toMillis());
            own.put("waitTime", v.number("waitTime"));
        }
    }

    static void shedlock(Values v, Map<String, Object> own) {
        LockConfiguration c = new LockConfiguration(Instant.now(), "x", Duration.parse(v.get("lockAtMostFor")), Duration.parse(v.get("lockAtLeastFor")));
        own.put("lockAtMostFor", c.getLockAtMostFor().toMillis());
        own.put("lockAtLeastFor", c.getLockAtLeastFor().toMillis());
        own.put("safeUpdate", Boolean.parseBoolean(v.get("safeUpdate")));
        own.put("keepAlive", Boolean.parseBoolean(v.get("keepAlive")));
    }

    static void curator(Values v, Map<String, Object> own) throws Exception {
        CuratorFrameworkFactory.Builder b = CuratorFrameworkFactory.builder().connectString("127.0.0.1:1")
            .sessionTimeoutMs(v.number("sessionTimeoutMs")).connectionTimeoutMs(v.number("connectionTimeoutMs"))
            .retryPolicy(new RetryNTimes(v.number("retries"), v.number("retrySleepMs")))
            .connectionStateErrorPolicy(v.get("connectionStateErrorPolicy").equals("session") ? new SessionConnectionStateErrorPolicy() : new StandardConnectionStateErrorPolicy())
            .simulatedSessionExpirationPercent(v.number("simulatedSessionExpirationPercent"));
        b.build();
        own.put("sessionTimeoutMs", b.getSessionTimeoutMs());
        own.put("connectionTimeoutMs", b.getConnectionTimeoutMs());
        own.put("retries", ((RetryNTimes) b.getRetryPolicy()).getN());
        own.put("retrySleepMs", field(b.getRetryPolicy(), "sleepMsBetweenRetries"));
        own.put("connectionStateErrorPolicy", b.getConnectionStateErrorPolicy() instanceof SessionConnectionStateErrorPolicy ? "session" : "standard");
        own.put("simulatedSessionExpirationPercent", b.getSimulatedSessionExpirationPercent());
        own.put("tickTime", server(v).getTickTime());
    }

    static void zookeeper(Values v, Map<String, Object> own) throws Exception {
        try (ZooKeeper zk = new ZooKeeper("127.0.0.1:1", v.number("sessionTimeout"), event -> {})) {
            own.put("sessionTimeout", field(field(zk, "cnxn"), "sessionTimeout")); // the getter's is the granted one
        }
        own.put("tickTime", server(v).getTickTime());
    }

    static QuorumPeerConfig server(Values v) throws Exception {
        Properties p = new Properties();
        p.setProperty("dataDir", "/tmp");
        p.setProperty("clientPort", "1");
        p.setProperty("tickTime", v.get("tickTime"));
        QuorumPeerConfig c = new QuorumPeerConfig();
        c.parseProperties(p);
        return c;
    }

    static Object field(Object o, String name) throws Exception {
        var f = o.getClass().getDeclaredField(name);
        f.setAccessible(true);
        return f.get(o);
    }
}
