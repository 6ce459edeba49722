package dev.doyen.membership;

/**
 * Thrown for bytes that are not a message of an election.
 *
 * <p>The exception's message describes the bytes, such as "it has 5 bytes".
 */
public final class MalformedMessageException extends Exception {

    private static final long serialVersionUID = 1;

    public MalformedMessageException(String message) {
        super(message);
    }
}
