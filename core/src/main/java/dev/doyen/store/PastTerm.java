package dev.doyen.store;

import dev.doyen.event.LossCause;
import java.time.Instant;

/**
 * A term that is over, for people. Times are by the clock of whoever wrote them.
 *
 * @param until when it ended; if its leader fell silent, when that was last heard of
 */
public record PastTerm(long term, String holder, Instant from, Instant until, LossCause end) {
    public PastTerm {
        ElectionNames.check("holder", holder);
        if (term < 1) {
            throw new IllegalArgumentException("term is " + term + "; terms start at 1");
        }
    }
}
