package dev.doyen.stores.quorum;

import java.io.IOException;
import java.util.Optional;

/**
 * Decides which failed attempts to connect to one address are logged. A member that is not there yet is no problem of
 * configuration. One that rejects this process is.
 *
 * <p>Threads: one.
 */
final class FailedAttempts {

    /** Connections in a row that the other side closes during the handshake, until they count as a rejection. */
    static final int REJECTIONS = 20;

    private int rejections;
    private boolean wasReached;
    private boolean isAnnounced;

    /** A handshake succeeded. */
    void connected() {
        rejections = 0;
        wasReached = true;
    }

    /** Returns the reason to warn; empty if there is none. */
    Optional<RefusedPeerException> warning(IOException why) {
        if (why instanceof RefusedPeerException refused) {
            return Optional.of(refused);
        }
        rejections = why instanceof ClosedHandshakeException ? rejections + 1 : 0;
        return why instanceof ClosedHandshakeException closed && rejections >= REJECTIONS
                ? Optional.of(closed.repeated(REJECTIONS))
                : Optional.empty();
    }

    /** Returns true once: at the first attempt that failed before any succeeded. */
    boolean isToBeAnnounced() {
        boolean isFirst = !wasReached && !isAnnounced;
        isAnnounced = true;
        return isFirst;
    }
}
