package dev.doyen.lease;

import dev.doyen.event.Moment;

/**
 * A session as its record was last read (rule L12).
 *
 * @param term the highest term that the record has contained, which identifies the present epoch
 * @param running true if the session was held when last read. Also true if its record has vanished or the last read was
 *     stale, because the holder possibly still leads
 * @param freeAtNanos the time at which the session will have been silent for its ttl (rule L2)
 */
public record ObservedSession(long term, boolean running, long freeAtNanos) {

    /** Returns true if {@code epoch} is over. An epoch that is over never returns, because terms only rise. */
    public boolean hasEnded(long epoch) {
        return term > epoch || (term == epoch && !running);
    }

    /** Returns true if the session has been silent for its ttl. It may then be fenced. */
    public boolean isSilentAt(Moment now) {
        return running && now.nanos() - freeAtNanos >= 0;
    }
}
