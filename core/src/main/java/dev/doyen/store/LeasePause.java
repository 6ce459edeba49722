package dev.doyen.store;

import java.time.Instant;

/**
 * Nobody is to lead until this is taken off the record again.
 *
 * @param by who asked for it
 * @param reason for people
 * @param since by the clock of who asked; for people only
 */
public record LeasePause(String by, String reason, Instant since) {
    public LeasePause {
        ElectionNames.check("who pauses", by);
        ElectionNames.checkRemark("reason", reason);
    }
}
