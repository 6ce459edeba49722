package dev.doyen.cluster;

import java.io.DataInput;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.stack.IpAddress;

/**
 * Reads and decrypts all frames that arrive at this process, and counts the rejected frames.
 *
 * <p>The class logs the first rejection, because a member with a wrong secret may have caused it. The class only counts
 * further rejections, because a foreign process can send many frames.
 *
 * <p>Threads: any.
 */
final class IncomingFrames {

    private static final System.Logger LOG = System.getLogger("dev.doyen.cluster");

    private final FrameCipher cipher;
    private final AtomicLong refused = new AtomicLong();

    IncomingFrames(FrameCipher cipher) {
        this.cipher = cipher;
    }

    FrameCipher cipher() {
        return cipher;
    }

    /** Returns the number of rejected frames. */
    long refused() {
        return refused.get();
    }

    /**
     * Reads and decrypts a frame.
     *
     * @param from the claimed sender, for the log
     * @throws IOException if the frame cannot be read or is rejected. The caller must then close the connection
     */
    byte[] read(FrameCipher.Line line, IpAddress to, Object from, DataInput in, int length) throws IOException {
        if (length < FrameCipher.OVERHEAD || length > FrameCipher.MAX_FRAME) {
            throw refuse(from, "it has " + length + " bytes");
        }
        var frame = new byte[length];
        in.readFully(frame);
        return open(line, to, from, frame, 0, length);
    }

    byte[] open(FrameCipher.Line line, IpAddress to, Object from, byte[] frame, int offset, int length)
            throws IOException {
        try {
            return cipher.open(line, to, frame, offset, length);
        } catch (RejectedFrameException e) {
            throw refuse(from, String.valueOf(e.getMessage()));
        }
    }

    private IOException refuse(Object from, String reason) {
        if (refused.incrementAndGet() == 1) {
            LOG.log(
                    Level.WARNING,
                    "a frame from " + from + " was dropped (" + reason + "); if the sender is a member, give it the"
                            + " same cluster name and secret. Further such frames are dropped without a log line");
        }
        return new IOException(reason);
    }
}
