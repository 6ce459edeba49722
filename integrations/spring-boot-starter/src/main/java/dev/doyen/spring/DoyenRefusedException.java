package dev.doyen.spring;

/**
 * Thrown if the application cannot start because of a setting or an annotation.
 *
 * <p>The message contains the problem and, after a semicolon, the remedy.
 */
public final class DoyenRefusedException extends IllegalArgumentException {

    public DoyenRefusedException(String sentence) {
        super(sentence);
    }

    public DoyenRefusedException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
