package dev.doyen.ring;

/**
 * The information that an election message collects from its sender and its receivers (rules R4, T4).
 *
 * @param term the greatest term that any of these members has received
 * @param newest the id of the newest saved state that any of these members stores, and the member that stores it
 */
public record Passed(Term term, VersionedState.Location newest) {

    /** The value before the first leader. */
    public static final Passed NOTHING = new Passed(Term.NONE, VersionedState.Location.NONE);

    Passed and(Passed other) {
        return new Passed(term.orLater(other.term), newest.orNewer(other.newest));
    }
}
