package dev.doyen.stores.quorum;

import java.io.IOException;

/**
 * An exception thrown if the peer closed the connection during the handshake. The peer is starting or stopping, or it
 * rejects this process.
 */
final class ClosedHandshakeException extends IOException {

    private static final long serialVersionUID = 1;

    private final boolean isAfterProof;

    /**
     * @param isAfterProof true if this process had already sent the proof that it has the secret
     */
    ClosedHandshakeException(boolean isAfterProof) {
        super("it closed the connection during the handshake");
        this.isAfterProof = isAfterProof;
    }

    /** Returns the warning to log if the peer closed several handshakes in a row. */
    RefusedPeerException repeated(int times) {
        return new RefusedPeerException("it closed the connection during the handshake " + times + " times in a row; "
                + (isAfterProof
                        ? "check that both have the same secret"
                        : "check that it is a member of the quorum, and has free connections"));
    }
}
