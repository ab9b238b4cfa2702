import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** The same kind of holds in microseconds: two intervals as a log, all as a table of percentiles. */
public class Hdr {
    public static void main(String[] args) throws Exception {
        Histogram all = new Histogram(3_600_000_000L, 3);
        HistogramLogWriter log = new HistogramLogWriter(new PrintStream(new FileOutputStream(args[0] + ".hlog")));
        log.outputLogFormatVersion();
        log.outputStartTime(1_796_000_000_000L);
        log.outputLegend();
        Random r = new Random(1);
        for (int part = 0; part < 2; part++) {
            Histogram h = new Histogram(3_600_000_000L, 3);
            h.setStartTimeStamp(1_796_000_000_000L + part * 1000);
            h.setEndTimeStamp(1_796_000_000_000L + part * 1000 + 1000);
            for (int i = 0; i < 1000; i++) {
                long us = i == 500 ? 45_200_000 : i % 100 == 7 ? 1_200_000 + r.nextInt(100_000) : 2000 + (long) (-Math.log(1 - r.nextDouble()) * 4000);
                h.recordValue(us);
                System.out.println(us);
            }
            log.outputIntervalHistogram(h);
            all.add(h);
        }
        all.outputPercentileDistribution(new PrintStream(new FileOutputStream(args[0] + ".hgrm")), 1000.0);
    }
}
