import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Random;
import org.HdrHistogram.Histogram;

/** The log of Hdr.java as releases wrote it whose own log writer had not come yet. */
public class HdrV0 {
    public static void main(String[] args) throws Exception {
        PrintStream log = new PrintStream(new FileOutputStream(args[0]));
        log.println("#[StartTime: 1796000000.000 (seconds since epoch)]");
        log.println("\"StartTimestamp\",\"EndTimestamp\",\"Interval_Max\",\"Interval_Compressed_Histogram\"");
        Random r = new Random(1);
        for (int part = 0; part < 2; part++) {
            Histogram h = new Histogram(3_600_000_000L, 3);
            for (int i = 0; i < 1000; i++) {
                h.recordValue(i == 500 ? 45_200_000 : i % 100 == 7 ? 1_200_000 + r.nextInt(100_000) : 2000 + (long) (-Math.log(1 - r.nextDouble()) * 4000));
            }
            ByteBuffer b = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
            int length = h.encodeIntoCompressedByteBuffer(b);
            byte[] payload = new byte[length];
            b.rewind();
            b.get(payload);
            log.printf("%.3f,1.000,%.3f,%s%n", 1_796_000_000.0 + part, h.getMaxValue() / 1e6, Base64.getEncoder().encodeToString(payload));
        }
    }
}
