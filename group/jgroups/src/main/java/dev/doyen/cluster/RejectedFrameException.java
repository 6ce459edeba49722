package dev.doyen.cluster;

/**
 * Thrown if a frame is repeated, very late, changed, or not encrypted for this receiver.
 *
 * <p>The exception's message contains the reason, but no data of the frame.
 */
final class RejectedFrameException extends Exception {

    private static final long serialVersionUID = 1;

    RejectedFrameException(String reason) {
        super(reason);
    }
}
