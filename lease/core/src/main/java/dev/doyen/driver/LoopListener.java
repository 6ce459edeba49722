package dev.doyen.driver;

import dev.doyen.event.ElectionEvent;

/**
 * Receives the decisions of a loop's machine, on the loop thread.
 *
 * <p>Every method must return at once, and pass longer work to another thread.
 */
public interface LoopListener {

    /**
     * Called with each event. The view of the loop already contains the event.
     *
     * <p>After {@code Lost} the listener must call the loop's {@code workStopped} when all work of the term has
     * stopped.
     */
    void onEvent(ElectionEvent event);

    /**
     * Called when a resignation, withdrawal, leave or change of the eligibility is done. The call can also follow the
     * end of a term for another reason. Also called if the release takes too long and the machine stops waiting for it.
     */
    default void settled() {}

    /**
     * Called when the loop has dropped an input, because the machine has repeatedly failed to process it. So the loop
     * has possibly not carried out a call.
     */
    default void dropped() {}

    /**
     * Called when the saves up to this number are confirmed. The next leader receives the last of them, unless a later
     * save replaces it.
     */
    default void saved(long save) {}

    /** Called when the loop has ended. */
    default void ended() {}
}
