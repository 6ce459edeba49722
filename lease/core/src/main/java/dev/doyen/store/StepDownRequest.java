package dev.doyen.store;

import dev.doyen.text.ElectionNames;

/**
 * A request to the present leader to step down, stored in the record (rule M4).
 *
 * <p>The leader finds the request at the latest at its next renewal, and then carries out the request, unless the
 * request names this leader itself. A leader under a session does not renew its record, so it finds the request when it
 * next reads the record (rule L12.5). The next write of a holder removes the request.
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
