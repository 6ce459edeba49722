package dev.doyen.ring;

import dev.doyen.event.HandOverState;
import dev.doyen.membership.Member;
import org.jspecify.annotations.Nullable;

/**
 * The newest saved state that reached a member (rules T1 to T5).
 *
 * @param id its place in the order of all saved states
 * @param state what the leader saved
 */
public record SavedState(Id id, HandOverState state) {

    /** Before any leader: empty. */
    public static final SavedState NONE = new SavedState(Id.NONE, HandOverState.EMPTY);

    /**
     * Orders saved states: by term, then by version.
     *
     * @param term of the leader whose state it is
     * @param version the number of the save, which rises within the term; 0 for what the leader began with
     */
    public record Id(Term term, long version) implements Comparable<Id> {

        public static final Id NONE = new Id(Term.NONE, 0);

        public Id {
            if (version < 0 || (term.equals(Term.NONE) && version > 0)) {
                throw new IllegalArgumentException("a saved state has version " + version + " in term " + term.counter()
                        + "; versions are counted from 0, and are 0 before the first term");
            }
        }

        boolean isAfter(Id other) {
            return compareTo(other) > 0;
        }

        @Override
        public int compareTo(Id other) {
            int byTerm = term.compareTo(other.term);
            return byTerm != 0 ? byTerm : Long.compare(version, other.version);
        }
    }

    /**
     * A member that has a saved state.
     *
     * @param holder null only with {@link Id#NONE}
     */
    public record Location(Id id, @Nullable Member holder) {

        public static final Location NONE = new Location(Id.NONE, null);

        public Location {
            if ((holder == null) != id.equals(Id.NONE)) {
                throw new IllegalArgumentException("state " + id + " is said to be at " + holder
                        + "; each saved state but the first has a holder");
            }
        }

        Location orNewer(Location other) {
            return other.id.isAfter(id) ? other : this;
        }
    }

    SavedState orNewer(SavedState other) {
        return other.id.isAfter(id) ? other : this;
    }

    /** The same state, as the one that a leader begins its term with. */
    SavedState beginning(Term term) {
        return new SavedState(new Id(term, 0), state);
    }

    Location at(Member holder) {
        return id.equals(Id.NONE) ? Location.NONE : new Location(id, holder);
    }
}
