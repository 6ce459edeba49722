package dev.doyen.lease;

import dev.doyen.event.Moment;

/**
 * A session as its record was last read (rule L12).
 *
 * @param term the highest term that the record has shown: the present epoch
 * @param running true if it was held when last read, or if its record has vanished, which ends nothing by itself
 * @param freeAtNanos when it will have been silent for its ttl (rule L2)
 */
public record ObservedSession(long term, boolean running, long freeAtNanos) {

    /** Returns true if {@code epoch} is over. That is final, because terms only rise. */
    public boolean hasEnded(long epoch) {
        return term > epoch || (term == epoch && !running);
    }

    /** Returns true if the session has been silent for its ttl, so that it may be fenced. */
    public boolean isSilentAt(Moment now) {
        return running && now.nanos() - freeAtNanos >= 0;
    }
}
