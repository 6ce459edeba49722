package dev.doyen.hub.step;

import java.time.Duration;

/**
 * An admin command that asks the holder of a slot to resign (rule C16).
 *
 * @param successor the only client that may claim the slot for a while; empty if every client may claim it
 * @param keptFor the duration for which the slot is reserved for the successor, or barred to the former holder
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
        /** The command had no effect, because the successor's keys and tokens do not allow it to lead. */
        SUCCESSOR_NOT_ALLOWED
    }
}
