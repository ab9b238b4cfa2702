import java.util.ArrayList;
import java.util.List;

/** Allocates for two seconds on a heap that is too small, so that its collector has to work. */
public class Alloc {
    public static void main(String[] args) {
        List<byte[]> kept = new ArrayList<>();
        long end = System.nanoTime() + 2_000_000_000L;
        int i = 0;
        while (System.nanoTime() < end) {
            byte[] block = new byte[16 * 1024];
            if (kept.size() < 1500) {
                kept.add(block);
            } else {
                kept.set(i++ % 1500, block);
            }
        }
        System.out.println(kept.size());
    }
}
