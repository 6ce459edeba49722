package dev.doyen.hub.step;

import java.time.Duration;

/**
 * An admin command that asks the holder of a slot to resign (rule C16). Only the node that executes the command rejects
 * claims because of it.
 *
 * @param successor the only client that may claim the slot for a while; empty if every client may claim it
 * @param keptFor the time for which the slot is reserved for the successor; without a successor, the time for which the
 *     former holder may not claim the slot
 * @param reason the text for the event and the log; empty if there is none
 */
public record SlotStepDown(String successor, Duration keptFor, String reason) {

    /** The result of the command. */
    public enum Outcome {
        /** The holder has lost its claim. */
        DONE,
        /** No member of this hub holds the slot. */
        NOT_HELD,
        /** The command had no effect, because the successor is not present on the channel. */
        SUCCESSOR_AWAY,
        /** The command had no effect, because the successor has no right to lead. */
        SUCCESSOR_NOT_ALLOWED
    }
}
