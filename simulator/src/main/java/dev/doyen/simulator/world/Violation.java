package dev.doyen.simulator.world;

/** A promise that was broken, as one sentence that begins with the name of the invariant. */
public final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String sentence;

    /** Without a stack trace: where the simulator stood when it saw this tells nobody anything. */
    public Violation(String invariant, String what) {
        super(invariant + ": " + what, null, false, false);
        sentence = invariant + ": " + what;
    }

    public String sentence() {
        return sentence;
    }
}
