package dev.doyen;

/** Whether terms must be fit to fence with. */
public enum Fencing {
    /** A store that may forget a confirmed term is refused when the election is opened. */
    REQUIRED,
    /** Any store will do; what it promises can be asked. The default. */
    BEST_EFFORT
}
