package dev.doyen.driver;

import dev.doyen.event.ElectionEvent;

/** Hears what a loop's machine decides, on the loop thread: must return at once, and hand on whatever takes time. */
public interface LoopListener {

    /** An event; the loop's view already shows it. After {@code Lost} the listener owes the loop {@code workStopped}. */
    void told(ElectionEvent event);

    /** A resignation, withdrawal or leave is done, as far as it can be. */
    default void settled() {}

    /** The saves up to this number will reach the next leader. */
    default void saved(long save) {}

    /** The loop has ended. */
    default void ended() {}
}
