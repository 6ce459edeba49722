package dev.doyen.spring;

/** The application cannot start with what was set or annotated. The message says what, and the remedy after a semicolon. */
public final class DoyenRefusedException extends IllegalArgumentException {

    public DoyenRefusedException(String sentence) {
        super(sentence);
    }

    public DoyenRefusedException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
