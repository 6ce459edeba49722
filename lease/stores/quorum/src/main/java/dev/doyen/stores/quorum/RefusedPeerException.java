package dev.doyen.stores.quorum;

import java.io.IOException;

/**
 * The other side of a connection behaves as no member with the same secret does.
 *
 * <p>The message is the same for all connections of one kind. It contains no values and no received bytes.
 */
final class RefusedPeerException extends IOException {

    private static final long serialVersionUID = 1;

    RefusedPeerException(String message) {
        super(message);
    }
}
