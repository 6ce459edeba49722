package dev.doyen.ring;

/** How the greatest key of a ring is found. All members of a ring use the same one. */
public enum RingAlgorithm {
    /**
     * Chang and Roberts, 1979: fewest messages on average, n H(n); n(n+1)/2 at worst. A lost message is sent again.
     */
    CHANG_ROBERTS,
    /**
     * Peterson 1982; Dolev, Klawe, Rodeh 1982, their basic form: at most about 2 n log2 n messages. Needs links that keep
     * order; a lost message costs the round.
     */
    PETERSON
}
