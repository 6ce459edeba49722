package dev.doyen.group.settings;

/**
 * The order of candidates of the same priority (rule R4). All members of a ring use the same order.
 *
 * <p>The order decides only while nobody leads. A leader continues to lead when other members join.
 */
public enum RingOrder {
    /**
     * The candidate whose first view has the lowest number wins. If several candidates have the same number, the
     * candidate with the lowest id wins.
     */
    OLDEST,
    /** The candidate with the lowest id wins. Ids are compared by their UTF-8 bytes. */
    LOWEST_ID,
    /** The candidate with the highest id wins. Ids are compared by their UTF-8 bytes. */
    HIGHEST_ID;
}
