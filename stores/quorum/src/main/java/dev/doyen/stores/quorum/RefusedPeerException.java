package dev.doyen.stores.quorum;

import java.io.IOException;

/**
 * The other side of a connection does what no member with the same secret does. The message is the same for all
 * connections of one kind, so it has no values and nothing that was received.
 */
final class RefusedPeerException extends IOException {

    private static final long serialVersionUID = 1;

    RefusedPeerException(String message) {
        super(message);
    }
}
