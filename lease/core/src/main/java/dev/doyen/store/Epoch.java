package dev.doyen.store;

import dev.doyen.text.ElectionNames;

/**
 * One term of one session record (rule L12). A lease that was acquired in an epoch ends with that epoch at the latest.
 *
 * <p>The term alone does not identify an epoch, because each session record counts its own terms.
 *
 * @param session the name of the session record in the same store
 * @param term the session's term in which the lease was acquired. If the session record contains a higher term, the
 *     lease is free
 */
public record Epoch(String session, long term) {
    public Epoch {
        ElectionNames.check("session", session);
        if (term < 1) {
            throw new IllegalArgumentException("the term of an epoch is " + term + "; terms start at 1");
        }
    }
}
