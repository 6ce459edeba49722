package dev.doyen.stores.quorum;

import java.io.IOException;
import java.util.Optional;

/**
 * Decides which failed connection attempts to one address are logged.
 *
 * <p>If a member rejects this process, the configuration is wrong, and the class returns a warning. If a member is not
 * reachable, it has possibly not started yet. The class announces only the first such failure.
 *
 * <p>Threads: one.
 */
final class FailedAttempts {

    /** The number of consecutive closed handshakes that count as a rejection by the peer. */
    static final int REJECTIONS = 20;

    private int rejections;
    private boolean wasReached;
    private boolean isAnnounced;

    /** Records a successful handshake. */
    void connected() {
        rejections = 0;
        wasReached = true;
    }

    /** Records a failed attempt, and returns the warning to log. The result is empty if no warning is necessary. */
    Optional<RefusedPeerException> warning(IOException why) {
        if (why instanceof RefusedPeerException refused) {
            return Optional.of(refused);
        }
        rejections = why instanceof ClosedHandshakeException ? rejections + 1 : 0;
        return why instanceof ClosedHandshakeException closed && rejections >= REJECTIONS
                ? Optional.of(closed.repeated(REJECTIONS))
                : Optional.empty();
    }

    /** Returns true only for the first failed attempt, if no attempt has succeeded before. */
    boolean isToBeAnnounced() {
        boolean isFirst = !wasReached && !isAnnounced;
        isAnnounced = true;
        return isFirst;
    }
}
