package dev.doyen.store;

import dev.doyen.text.ElectionNames;

/**
 * A request in the record that the present leader step down (rule M4).
 *
 * <p>The leader obeys when it sees the request, at its next renewal at the latest. Every later write of a holder leaves
 * the request out.
 *
 * @param to the candidate that leads next; empty for any
 * @param by who sends the request
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
