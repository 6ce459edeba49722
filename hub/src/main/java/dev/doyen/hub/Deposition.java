package dev.doyen.hub;

import java.time.Duration;

/**
 * An admin's order that the holder of a slot step down (rule C16).
 *
 * @param heir the client that alone may claim the slot for a while; empty for whoever comes
 * @param keptFor how long the slot is kept for the heir, or from the former holder
 * @param reason for people; may be empty
 */
public record Deposition(String heir, Duration keptFor, String reason) {

    /** What became of it. */
    public enum Outcome {
        /** The holder has stepped down. */
        DONE,
        /** Nobody on this hub holds it. */
        NOT_HELD,
        /** The heir is not present on the channel, so nothing was done. */
        HEIR_AWAY,
        /** No key or token of the named client allows it to lead, so nothing was done. */
        HEIR_NOT_ALLOWED
    }
}
