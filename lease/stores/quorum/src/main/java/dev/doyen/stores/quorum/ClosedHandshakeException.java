package dev.doyen.stores.quorum;

import java.io.IOException;

/**
 * The other side closed the connection during the handshake. It may be starting or ending, or it may reject this
 * process.
 */
final class ClosedHandshakeException extends IOException {

    private static final long serialVersionUID = 1;

    private final boolean isAfterProof;

    /**
     * Creates the exception.
     *
     * @param isAfterProof whether this process had already sent the proof that it knows its secret
     */
    ClosedHandshakeException(boolean isAfterProof) {
        super("it closed the connection during the handshake");
        this.isAfterProof = isAfterProof;
    }

    /** Returns the warning for the case that this happened several times in a row. */
    RefusedPeerException repeated(int times) {
        return new RefusedPeerException("it closed the connection during the handshake " + times + " times in a row; "
                + (isAfterProof
                        ? "check that both have the same secret"
                        : "check that it is a member of the quorum, and has free connections"));
    }
}
