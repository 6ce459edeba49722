package dev.doyen.cluster;

/**
 * A frame that no member encrypted for this receiver, or that was received before.
 *
 * <p>The message contains the reason, but nothing of the frame.
 */
final class RejectedFrameException extends Exception {

    private static final long serialVersionUID = 1;

    RejectedFrameException(String reason) {
        super(reason);
    }
}
