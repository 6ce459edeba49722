package dev.doyen;

/** The guarantee about terms that an election requires from its store. */
public enum Fencing {
    /** The election opens only with a store that never forgets a confirmed term. */
    REQUIRED,
    /**
     * The election accepts any store. This is the default. {@link dev.doyen.store.LeaseStore#promises} returns the
     * guarantees of the store.
     */
    BEST_EFFORT
}
