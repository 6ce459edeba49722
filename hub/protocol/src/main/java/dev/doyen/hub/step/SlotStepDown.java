package dev.doyen.hub.step;

import java.time.Duration;

/**
 * An admin command to the holder of a slot to resign (rule C16).
 *
 * @param successor the only client that may claim the slot for a while; empty if any client may
 * @param keptFor how long the slot is reserved for that client, or barred to the former holder
 * @param reason text for the event and the log; may be empty
 */
public record SlotStepDown(String successor, Duration keptFor, String reason) {

    /** Result of the command. */
    public enum Outcome {
        /** The holder has lost its claim. */
        DONE,
        /** No member of this hub holds the slot. */
        NOT_HELD,
        /** Nothing was done, because the named client is not present on the channel. */
        SUCCESSOR_AWAY,
        /** Nothing was done, because the named client's keys and tokens do not allow leading. */
        SUCCESSOR_NOT_ALLOWED
    }
}
