package dev.doyen.store;

import dev.doyen.text.ElectionNames;
import java.time.Instant;

/**
 * A pause of the election (rule M1). No candidate may lead until the pause is removed from the record.
 *
 * @param by the author of the pause
 * @param reason a text for people; may be empty
 * @param since the time of the pause, by the clock of the process that wrote the pause; for people only
 */
public record LeasePause(String by, String reason, Instant since) {
    public LeasePause {
        ElectionNames.check("who pauses", by);
        ElectionNames.checkRemark("reason", reason);
    }
}
