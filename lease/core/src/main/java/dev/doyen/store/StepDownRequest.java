package dev.doyen.store;

import dev.doyen.text.ElectionNames;

/**
 * A request to the present leader to step down, stored in the record (rule M4).
 *
 * <p>The leader carries out the request when it reads the record, at the latest at its next renewal. The next write of
 * a holder removes the request.
 *
 * @param to the candidate that leads next; empty for any candidate
 * @param by the author of the request
 * @param reason a text for people; may be empty
 */
public record StepDownRequest(String to, String by, String reason) {
    public StepDownRequest {
        if (!to.isEmpty()) {
            ElectionNames.check("the candidate to hand over to", to);
        }
        ElectionNames.check("who asks", by);
        ElectionNames.checkRemark("reason", reason);
    }
}
