package dev.doyen.ring;

/**
 * The information that an election message collects from the members that it passes (rules R4, T4).
 *
 * @param term the greatest term that any of them has seen
 * @param newest the newest saved state that any of them keeps, and that member
 */
public record Passed(Term term, VersionedState.Location newest) {

    /** The initial value, before any leader. */
    public static final Passed NOTHING = new Passed(Term.NONE, VersionedState.Location.NONE);

    Passed and(Passed other) {
        return new Passed(term.orLater(other.term), newest.orNewer(other.newest));
    }
}
