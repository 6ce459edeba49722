package dev.doyen.cluster;

import java.io.DataInput;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.stack.IpAddress;

/**
 * Where frames come in, of all lines of one process: reads and opens them, and counts those that do not open. The first is
 * logged, for it may be a member with another secret; the others are only counted, for a stranger can send many.
 *
 * <p>Threads: any.
 */
final class Gate {

    private static final System.Logger LOG = System.getLogger("dev.doyen.cluster");

    private final Seal seal;
    private final AtomicLong refused = new AtomicLong();

    Gate(Seal seal) {
        this.seal = seal;
    }

    Seal seal() {
        return seal;
    }

    /** How many frames were not opened. */
    long refused() {
        return refused.get();
    }

    /**
     * Reads a frame and opens it.
     *
     * @param from who is said to have sent it, for the log
     * @throws IOException if it does not open; who sent it is not worth another one on the same connection
     */
    byte[] read(Seal.Line line, IpAddress to, Object from, DataInput in, int length) throws IOException {
        if (length < Seal.OVERHEAD || length > Seal.MAX_FRAME) {
            throw refuse(from, "it has " + length + " bytes");
        }
        var frame = new byte[length];
        in.readFully(frame);
        return open(line, to, from, frame, 0, length);
    }

    byte[] open(Seal.Line line, IpAddress to, Object from, byte[] frame, int offset, int length) throws IOException {
        try {
            return seal.open(line, to, frame, offset, length);
        } catch (BrokenSealException e) {
            throw refuse(from, String.valueOf(e.getMessage()));
        }
    }

    private IOException refuse(Object from, String reason) {
        if (refused.incrementAndGet() == 1) {
            LOG.log(
                    Level.WARNING,
                    "what arrived from " + from + " was dropped (" + reason + "), as all such will be;"
                            + " if that is a member, give it the same cluster name and secret");
        }
        return new IOException(reason);
    }
}
