package dev.doyen.driver;

import dev.doyen.event.ElectionEvent;

/**
 * Receives the decisions of a loop's machine, on the loop thread.
 *
 * <p>Every method must return at once, and pass longer work to another thread.
 */
public interface LoopListener {

    /**
     * Called with each event. The loop's view shows it already.
     *
     * <p>After {@code Lost} the listener must call {@code workStopped} of the loop.
     */
    void onEvent(ElectionEvent event);

    /** Called when a resignation, withdrawal or leave is done, as far as possible. */
    default void settled() {}

    /** Called when the saves up to this number will reach the next leader. */
    default void saved(long save) {}

    /** Called when the loop has ended. */
    default void ended() {}
}
