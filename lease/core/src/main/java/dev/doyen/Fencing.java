package dev.doyen;

/** Whether the store must be one that never forgets a term. */
public enum Fencing {
    /** Opening the election fails if the store may forget a confirmed term. */
    REQUIRED,
    /** Any store is accepted. {@link dev.doyen.store.LeaseStore#promises} returns what it guarantees. The default. */
    BEST_EFFORT
}
