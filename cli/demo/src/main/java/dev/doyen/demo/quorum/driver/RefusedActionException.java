package dev.doyen.demo.quorum.driver;

/**
 * Thrown if an action was rejected, failed, or was not confirmed in time. The message is a sentence for users, without
 * a full stop.
 */
final class RefusedActionException extends Exception {

    private static final long serialVersionUID = 1;

    RefusedActionException(String sentence) {
        super(sentence);
    }
}
