import java.io.File;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;

/** What a ZooKeeper server makes of its zoo.cfg, and what the client of a follower believes that is cut off from its leader. */
public final class ZooKeeperProbe {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "config": for (int i = 1; i < args.length; i++) config(args[i]); break;
            case "follower": follower(args[1], args[2], Integer.parseInt(args[3]), Integer.parseInt(args[4])); break;
            default: throw new IllegalArgumentException(args[0]);
        }
        System.exit(0);
    }

    /** What the server makes of a zoo.cfg. */
    static void config(String file) {
        QuorumPeerConfig c = new QuorumPeerConfig();
        boolean taken = true;
        try {
            c.parse(file);
        } catch (QuorumPeerConfig.ConfigException e) {
            taken = false;
        }
        System.out.printf("{\"file\": \"%s\", \"taken\": %b, \"tickTime\": %d, \"minSessionTimeout\": %d, \"maxSessionTimeout\": %d, \"initLimit\": %d, \"syncLimit\": %d}%n",
            new File(file).getName(), taken, c.getTickTime(), c.getMinSessionTimeout(), c.getMaxSessionTimeout(), c.getInitLimit(), c.getSyncLimit());
    }

    /**
     * Takes a lock node through the follower, is idle for a while, has the follower cut off, and then looks at its node all the
     * time. All figures are ms since the cut.
     */
    static void follower(String follower, String leader, int session, int idle) throws Exception {
        AtomicLong start = new AtomicLong(Long.MAX_VALUE), disconnected = new AtomicLong(), gone = new AtomicLong();
        CountDownLatch lost = new CountDownLatch(1), freed = new CountDownLatch(1);
        ZooKeeper holder = connect(follower, session, () -> {
            if (disconnected.compareAndSet(0, System.nanoTime()) && start.get() != Long.MAX_VALUE) lost.countDown();
        });
        ZooKeeper other = connect(leader, 20000, () -> {});
        String node = "/lock-" + System.nanoTime();
        holder.create(node, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        other.sync(node, (rc, path, ctx) -> {}, null);
        other.exists(node, event -> {
            if (event.getType() == EventType.NodeDeleted) {
                gone.set(System.nanoTime());
                freed.countDown();
            }
        });
        holder.exists(node, false);
        Thread.sleep(idle);
        System.out.println("{\"ready\": true}");
        start.set(System.nanoTime());
        System.in.read();
        disconnected.set(0);
        long seen = start.get();
        while (lost.getCount() > 0) {
            try {
                if (holder.exists(node, false) != null) seen = System.nanoTime();
            } catch (KeeperException e) {
                if (disconnected.get() != 0) break;
            }
            Thread.sleep(20);
        }
        lost.await(60, TimeUnit.SECONDS);
        freed.await(60, TimeUnit.SECONDS);
        System.out.println("{\"thaw\": true}");
        System.out.printf("{\"session\": %d, \"disconnected_ms\": %d, \"gone_ms\": %d, \"last_seen_ms\": %d}%n",
            holder.getSessionTimeout(), since(start, disconnected.get()), since(start, gone.get()), since(start, seen));
    }

    static long since(AtomicLong start, long instant) { return TimeUnit.NANOSECONDS.toMillis(instant - start.get()); }

    static ZooKeeper connect(String addr, int session, Runnable down) throws Exception {
        CountDownLatch up = new CountDownLatch(1);
        ZooKeeper zk = new ZooKeeper(addr, session, event -> {
            if (event.getState() == KeeperState.SyncConnected) up.countDown();
            if (event.getState() == KeeperState.Disconnected) down.run();
        });
        if (!up.await(60, TimeUnit.SECONDS)) throw new IllegalStateException("no server at " + addr);
        return zk;
    }
}
