package dev.doyen.group.driver;

/** Thrown if a message cannot be decoded. The exception's message states the reason. */
public final class UnreadableMessageException extends Exception {

    private static final long serialVersionUID = 1;

    UnreadableMessageException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
