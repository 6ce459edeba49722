package dev.doyen.store;

import dev.doyen.event.LossCause;
import java.time.Instant;

/**
 * A term that has ended, for people. Each time is by the clock of the process that wrote it.
 *
 * @param until when the term ended; if the leader fell silent, when it last showed life
 */
public record PastTerm(long term, String holder, Instant from, Instant until, LossCause end) {
    public PastTerm {
        ElectionNames.check("holder", holder);
        if (term < 1) {
            throw new IllegalArgumentException("term is " + term + "; terms start at 1");
        }
    }
}
