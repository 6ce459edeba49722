package dev.doyen.ring;

import dev.doyen.event.SavedState;
import dev.doyen.membership.Member;
import org.jspecify.annotations.Nullable;

/**
 * A saved state with its id, as a member stores it (rules T1 to T5).
 *
 * @param id the id, which determines the order of all saved states
 * @param state the content
 */
public record VersionedState(Id id, SavedState state) {

    /** The empty state before the first leader. */
    public static final VersionedState NONE = new VersionedState(Id.NONE, SavedState.EMPTY);

    /**
     * The id of a saved state. Ids are ordered by term, then by version.
     *
     * @param term the term of the leader
     * @param version the number of the save, which rises within the term; 0 for the state with which the leader began
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
     * The id of a saved state, and a member that stores this state.
     *
     * @param holder the member that stores the saved state; null only with {@link Id#NONE}
     */
    public record Location(Id id, @Nullable Member holder) {

        public static final Location NONE = new Location(Id.NONE, null);

        public Location {
            if ((holder == null) != id.equals(Id.NONE)) {
                throw new IllegalArgumentException("state " + id + " has the location " + holder
                        + "; each saved state but the first has a holder");
            }
        }

        Location orNewer(Location other) {
            return other.id.isAfter(id) ? other : this;
        }
    }

    VersionedState orNewer(VersionedState other) {
        return other.id.isAfter(id) ? other : this;
    }

    /** Returns the same state as version 0 of {@code term}. A leader begins its term with version 0 (rule T5). */
    VersionedState beginning(Term term) {
        return new VersionedState(new Id(term, 0), state);
    }

    Location at(Member holder) {
        return id.equals(Id.NONE) ? Location.NONE : new Location(id, holder);
    }
}
