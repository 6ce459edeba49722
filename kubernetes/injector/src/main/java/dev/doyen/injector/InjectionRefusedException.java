package dev.doyen.injector;

/**
 * The pod cannot get the elector that it asks for.
 *
 * <p>The message is for the author of the pod's manifest. It states the setting, its value, the limit and what to do.
 */
public final class InjectionRefusedException extends Exception {

    private static final long serialVersionUID = 1;

    InjectionRefusedException(String sentence) {
        super(sentence);
    }

    /** Returns the message, which is one sentence. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
