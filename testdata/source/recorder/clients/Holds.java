import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Random;

/** 2 000 holds, most of some milliseconds, 1 in 100 of 1.2 s and three of 45 s, as Micrometer's page for Prometheus. */
public class Holds {
    static Duration hold(Random r, int i) {
        if (i % 700 == 500) return Duration.ofMillis(45_000 + i);
        if (i % 100 == 7) return Duration.ofNanos(1_200_000_000L + r.nextInt(100_000_000));
        return Duration.ofNanos(2_000_000L + (long) (-Math.log(1 - r.nextDouble()) * 4e6));
    }

    public static void main(String[] args) {
        PrometheusMeterRegistry page = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new JvmGcMetrics().bindTo(page);
        Timer timer = Timer.builder("lock.hold").tag("lock", "stock").publishPercentiles(0.5, 0.99, 0.999).publishPercentileHistogram().register(page);
        Random r = new Random(1);
        byte[][] kept = new byte[500][];
        for (int i = 0; i < 2000; i++) {
            timer.record(hold(r, i));
            kept[i % 500] = new byte[100_000];
        }
        System.gc();
        System.out.print(page.scrape());
    }
}
