package dev.doyen.cluster;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Rejects frames that contain a serialized Java object.
 *
 * <p>JGroups deserializes objects at several places above the transport, and deserialization can run code. So this
 * class searches each frame for the four bytes with which every object stream begins. No protocol of this stack sends
 * objects, fragments messages or transforms their bytes, so an object cannot arrive in another form.
 *
 * <p>It logs the first rejection and counts the others. One in 2^32 random member addresses contains these bytes. The
 * messages of such a member are rejected until it restarts.
 *
 * <p>Threads: any.
 */
final class SerializedObjectFilter {

    private static final System.Logger LOG = System.getLogger("dev.doyen.cluster");

    /** Magic number and version of Java's object streams. */
    private static final int BEGINNING = 0xACED0005;

    private final AtomicLong refused = new AtomicLong();

    /**
     * Checks a frame.
     *
     * @param from the claimed sender, for the log
     * @throws IOException if the frame contains an object. The caller must then close the connection
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

    /** Returns how many frames were rejected. */
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
