package dev.doyen.cluster;

/**
 * A frame that no member sealed for this receiver, or that was opened before.
 *
 * <p>The message contains the reason, but nothing of the frame.
 */
final class BrokenSealException extends Exception {

    private static final long serialVersionUID = 1;

    BrokenSealException(String reason) {
        super(reason);
    }
}
