package dev.doyen.membership;

/** Bytes that are no message of an election. The message is a sentence about them, beginning with "it" or a part of it. */
public final class MalformedMessageException extends Exception {

    private static final long serialVersionUID = 1;

    public MalformedMessageException(String message) {
        super(message);
    }
}
