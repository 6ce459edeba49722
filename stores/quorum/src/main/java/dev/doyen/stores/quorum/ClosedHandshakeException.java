package dev.doyen.stores.quorum;

import java.io.IOException;

/** The other side closed the connection during the handshake. It may be starting or ending, or reject this process. */
final class ClosedHandshakeException extends IOException {

    private static final long serialVersionUID = 1;

    private final boolean isAfterProof;

    /** @param isAfterProof whether this process had sent the proof that it knows its secret */
    ClosedHandshakeException(boolean isAfterProof) {
        super("it closed the connection during the handshake");
        this.isAfterProof = isAfterProof;
    }

    /** The warning if this happens again and again. */
    RefusedPeerException repeated(int times) {
        return new RefusedPeerException("it closed the connection during the handshake " + times + " times in a row; "
                + (isAfterProof
                        ? "check that both have the same secret"
                        : "check that it is a member of the quorum, and has free connections"));
    }
}
