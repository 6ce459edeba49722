package dev.doyen.group.driver;

/** Thrown if a message cannot be decoded. The text states why. */
public final class UnreadableMessageException extends Exception {

    private static final long serialVersionUID = 1;

    UnreadableMessageException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
