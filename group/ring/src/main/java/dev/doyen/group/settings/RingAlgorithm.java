package dev.doyen.group.settings;

/** The algorithm that finds the greatest key. All members of a ring use the same one. */
public enum RingAlgorithm {
    /** Chang and Roberts, 1979: n H(n) messages on average, the fewest; n(n+1)/2 at most. Sends lost keys again. */
    CHANG_ROBERTS,
    /**
     * Peterson, 1982; Dolev, Klawe and Rodeh, 1982, in their basic form: about 2 n log2 n messages at most.
     *
     * <p>Needs links that keep the order of messages. A lost message costs the round.
     */
    PETERSON
}
