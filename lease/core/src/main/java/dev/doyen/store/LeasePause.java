package dev.doyen.store;

import dev.doyen.text.ElectionNames;
import java.time.Instant;

/**
 * A pause of the election (rule M1). No candidate may lead until it is removed from the record.
 *
 * @param by who paused the election
 * @param reason a text for people; may be empty
 * @param since by the clock of the process that wrote it; for people only
 */
public record LeasePause(String by, String reason, Instant since) {
    public LeasePause {
        ElectionNames.check("who pauses", by);
        ElectionNames.checkRemark("reason", reason);
    }
}
