package dev.doyen.simulator.world;

/** A broken promise, as one sentence that begins with the name of the invariant. */
public final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String sentence;

    /** Creates a violation without a stack trace, because the simulator's stack contains no useful information. */
    public Violation(String invariant, String what) {
        super(invariant + ": " + what, null, false, false);
        sentence = invariant + ": " + what;
    }

    public String sentence() {
        return sentence;
    }
}
