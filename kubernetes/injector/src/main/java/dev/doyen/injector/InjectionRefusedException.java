package dev.doyen.injector;

/**
 * Thrown if the elector that a pod requests cannot be added to the pod.
 *
 * <p>The message is for the author of the pod's manifest. The message states the cause. If a setting is the cause, the
 * message states the setting and the remedy.
 */
public final class InjectionRefusedException extends Exception {

    private static final long serialVersionUID = 1;

    InjectionRefusedException(String sentence) {
        super(sentence);
    }

    /** Returns the message. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
