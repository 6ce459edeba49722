package dev.doyen.cluster;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Refuses serialized Java objects. JGroups reads one wherever a message has one, at several places above the transport, and
 * reading an object can mean running code. So what arrives is looked through for the four bytes that each stream of objects
 * begins with. No protocol of this stack sends objects, cuts messages or changes their bytes, so one cannot come in another
 * form.
 *
 * <p>The first is logged, the others are only counted. One in 2^32 of random addresses has these bytes: such a member is not
 * heard, and must be started again.
 *
 * <p>Threads: any.
 */
final class ObjectWatch {

    private static final System.Logger LOG = System.getLogger("dev.doyen.cluster");

    /** Magic number and version of Java's object streams. */
    private static final int BEGINNING = 0xACED0005;

    private final AtomicLong refused = new AtomicLong();

    /**
     * Looks a frame through.
     *
     * @param from who is said to have sent it, for the log
     * @throws IOException if it has an object; who sent it is not worth another one on the same connection
     */
    void check(Object from, byte[] frame) throws IOException {
        if (!isIn(frame)) {
            return;
        }
        if (refused.incrementAndGet() == 1) {
            LOG.log(
                    Level.WARNING,
                    "what arrived from " + from + " was dropped, for it has a serialized Java object, as all such will"
                            + " be; no member sends one");
        }
        throw new IOException("it has a serialized Java object");
    }

    /** How many frames were refused. */
    long refused() {
        return refused.get();
    }

    static boolean isIn(byte[] frame) {
        int last = 0;
        for (byte next : frame) {
            last = (last << Byte.SIZE) | (next & 0xff);
            if (last == BEGINNING) {
                return true;
            }
        }
        return false;
    }
}
