package dev.doyen.lease;

import dev.doyen.event.Moment;

/**
 * What is known of a session that leases are held under (rule L12).
 *
 * @param term the highest term its record has shown: the present epoch
 * @param running it was held when last seen, or has vanished, which ends nothing by itself
 * @param freeAtNanos when it will have been silent for its ttl (rule L2)
 */
public record SessionSight(long term, boolean running, long freeAtNanos) {

    /** True if no lease taken in {@code epoch} is held any more, for good: terms only rise. */
    public boolean hasEnded(long epoch) {
        return term > epoch || (term == epoch && !running);
    }

    /** True if it has shown no life for its ttl: it may be fenced, and what was held under it is free after that. */
    public boolean isSilentAt(Moment now) {
        return running && now.nanos() - freeAtNanos >= 0;
    }
}
