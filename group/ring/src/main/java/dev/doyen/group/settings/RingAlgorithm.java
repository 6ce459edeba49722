package dev.doyen.group.settings;

/** The algorithm that finds the greatest key. All members of a ring use the same algorithm. */
public enum RingAlgorithm {
    /**
     * The algorithm of Chang and Roberts, 1979. A ring of n members needs n H(n) messages on average and n(n+1)/2
     * messages at most. H(n) is the n-th harmonic number. No algorithm for a ring with one direction needs fewer
     * messages on average. A member repeats its key until it receives a greater key or the result. So a lost key only
     * delays the round.
     */
    CHANG_ROBERTS,
    /**
     * The algorithm of Peterson and of Dolev, Klawe and Rodeh, 1982, in its basic form.
     *
     * <p>A ring of n members needs about 2 n log2 n messages at most. Each link must deliver its messages in order. A
     * lost message ends the round without a winner.
     */
    PETERSON
}
