package dev.doyen.store;

import dev.doyen.event.LossCause;
import dev.doyen.text.ElectionNames;
import java.time.Instant;

/**
 * A term that has ended, for people. Each time is by the clock of the process that wrote it.
 *
 * @param until when the term ended; if the leader fell silent, when it last showed life
 * @param by who asked the leader to step down or paused the election (rules M1, M4, M5); empty if the term ended for
 *     another reason
 * @param reason the text in that request or pause; may be empty
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

    /** Creates a term that no request and no pause has ended. */
    public PastTerm(long term, String holder, Instant from, Instant until, LossCause end) {
        this(term, holder, from, until, end, "", "");
    }
}
