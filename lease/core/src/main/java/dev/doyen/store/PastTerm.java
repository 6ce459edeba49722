package dev.doyen.store;

import dev.doyen.event.LossCause;
import dev.doyen.text.ElectionNames;
import java.time.Instant;

/**
 * A term that has ended. The record contains ended terms only as information for people. The times come from the clocks
 * of the processes that wrote them.
 *
 * @param until the end of the term. If the lease expired, this is the time of the leader's last write. If an expired
 *     lease was under a session, this is the time of the takeover instead
 * @param by the author of the step-down request or the pause that ended the term (rules M1, M4, M5); empty if the
 *     term ended for another reason
 * @param reason the text in this request or pause; may be empty
 */
public record PastTerm(long term, String holder, Instant from, Instant until, LossCause end, String by, String reason) {
    public PastTerm {
        ElectionNames.check("holder", holder);
        ElectionNames.checkRemark("by", by);
        ElectionNames.checkRemark("reason", reason);
        if (term < 1) {
            throw new IllegalArgumentException("term is " + term + "; terms start at 1");
        }
    }

    /** Creates a term that ended for a reason other than a request or a pause. */
    public PastTerm(long term, String holder, Instant from, Instant until, LossCause end) {
        this(term, holder, from, until, end, "", "");
    }
}
