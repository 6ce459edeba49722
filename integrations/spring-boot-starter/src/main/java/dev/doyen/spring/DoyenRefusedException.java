package dev.doyen.spring;

/**
 * Thrown if a setting, an annotation or a command is rejected.
 *
 * <p>A rejected setting or annotation usually prevents the start of the application. Most messages contain the problem
 * and, after the last semicolon, the remedy.
 */
public final class DoyenRefusedException extends IllegalArgumentException {

    public DoyenRefusedException(String sentence) {
        super(sentence);
    }

    public DoyenRefusedException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
