package dev.doyen.group.settings;

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
}
