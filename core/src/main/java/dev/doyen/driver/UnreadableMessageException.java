package dev.doyen.driver;

/** What came is no message of its contest; the sentence says why. */
public final class UnreadableMessageException extends Exception {

    private static final long serialVersionUID = 1;

    UnreadableMessageException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
