package dev.doyen.ring;

import dev.doyen.membership.Member;

/**
 * The order of candidates of the same priority (rule R4). All members of a ring use the same one.
 *
 * <p>The order decides only while there is no leader. A leader stays the leader when others join.
 */
public enum RingOrder {
    /** The candidate whose first view has the lowest number; of several the one with the lowest id. */
    OLDEST,
    /** The candidate with the lowest id, compared by its UTF-8 bytes. */
    LOWEST_ID,
    /** The candidate with the highest id, compared by its UTF-8 bytes. */
    HIGHEST_ID;

    /**
     * Compares two candidates of the same priority.
     *
     * @return a positive number if {@code one} precedes {@code other}
     */
    int compare(Key one, Key other) {
        Member first = one.member();
        Member second = other.member();
        return switch (this) {
            case OLDEST ->
                one.joined() == other.joined() ? second.compareTo(first) : Long.compare(other.joined(), one.joined());
            case LOWEST_ID -> second.compareTo(first);
            case HIGHEST_ID -> first.compareTo(second);
        };
    }
}
