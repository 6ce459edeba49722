package dev.doyen.stores.quorum;

import java.io.IOException;
import java.util.Optional;

/**
 * Decides which failed connection attempts to one address are logged.
 *
 * <p>A member that has not started yet is no configuration error. A member that rejects this process is one.
 *
 * <p>Threads: one.
 */
final class FailedAttempts {

    /** The number of connections closed in a row during the handshake that counts as a rejection. */
    static final int REJECTIONS = 20;

    private int rejections;
    private boolean wasReached;
    private boolean isAnnounced;

    /** Records a successful handshake. */
    void connected() {
        rejections = 0;
        wasReached = true;
    }

    /** Records a failed attempt. Returns the warning to log; empty if there is none. */
    Optional<RefusedPeerException> warning(IOException why) {
        if (why instanceof RefusedPeerException refused) {
            return Optional.of(refused);
        }
        rejections = why instanceof ClosedHandshakeException ? rejections + 1 : 0;
        return why instanceof ClosedHandshakeException closed && rejections >= REJECTIONS
                ? Optional.of(closed.repeated(REJECTIONS))
                : Optional.empty();
    }

    /** Returns true once: at the first failed attempt, if no attempt has succeeded before. */
    boolean isToBeAnnounced() {
        boolean isFirst = !wasReached && !isAnnounced;
        isAnnounced = true;
        return isFirst;
    }
}
