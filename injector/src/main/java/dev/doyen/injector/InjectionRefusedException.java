package dev.doyen.injector;

/** The pod cannot be given what it asks for. The message is for whoever wrote its manifest: what, value, bound, remedy. */
public final class InjectionRefusedException extends Exception {

    private static final long serialVersionUID = 1;

    InjectionRefusedException(String sentence) {
        super(sentence);
    }

    /** The sentence. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
