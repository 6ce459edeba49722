package dev.doyen.cluster;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Rejects frames that contain a serialized Java object.
 *
 * <p>JGroups deserializes objects in several protocols above the transport, and deserialization can run code. So this
 * class searches each frame for the four bytes with which every object stream begins. No protocol of this stack sends
 * serialized objects, and an {@link Envelope} escapes these bytes in the messages of members. So every object is an
 * attack. No protocol of this stack splits messages or changes their bytes. So an object always arrives unchanged in
 * one frame.
 *
 * <p>The class counts all rejections, and logs only the first one. A random member address contains these four bytes
 * with a probability below one in 10^8. The filter rejects all messages of a member with this address. The member gets
 * another address when it restarts.
 *
 * <p>Threads: any.
 */
final class SerializedObjectFilter {

    private static final System.Logger LOG = System.getLogger("dev.doyen.cluster");

    /** The magic number and the version of Java's object streams. */
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
                    "dropped a message from " + from
                            + ", because it contains a serialized Java object, which no member sends; further such"
                            + " messages are dropped without a log line");
        }
        throw new IOException("it has a serialized Java object");
    }

    /** Returns the number of rejected frames. */
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
