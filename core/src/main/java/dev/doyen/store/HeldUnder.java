package dev.doyen.store;

/**
 * The session under which a lease is held (rule L12): the lease runs as long as the session does, and its own record
 * stands still.
 *
 * @param session the name of the session's own record in the same store
 * @param epoch the session's term when the lease was taken; once the session shows a higher one, the lease is free
 */
public record HeldUnder(String session, long epoch) {
    public HeldUnder {
        ElectionNames.check("session", session);
        if (epoch < 1) {
            throw new IllegalArgumentException("epoch is " + epoch + "; epochs start at 1");
        }
    }
}
