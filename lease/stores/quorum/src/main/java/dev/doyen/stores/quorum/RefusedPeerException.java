package dev.doyen.stores.quorum;

import java.io.IOException;

/**
 * Thrown if a peer does not behave like a member with the same secret.
 *
 * <p>Two exceptions with the same reason have the same message, so that {@link TcpWire} logs each reason only once. The
 * message contains no received bytes, and no numbers except limits.
 */
final class RefusedPeerException extends IOException {

    private static final long serialVersionUID = 1;

    RefusedPeerException(String message) {
        super(message);
    }
}
