package dev.doyen.stores.quorum;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which members this process hears from. A message of Raft counts, and so does the answer to a request: a process that is
 * frozen, or another one at the same address, is not the member.
 *
 * <p>Threads: any.
 */
final class Reachability {

    /** A member from which nothing came for this time is asked for a sign of life, as often. */
    static final Duration ASK = Duration.ofMillis(500);

    private static final long SILENCE_NANOS = Duration.ofSeconds(2).toNanos();

    private final RaftTime time;
    private final Map<QuorumEndpoint, Long> heard = new ConcurrentHashMap<>();

    Reachability(RaftTime time) {
        this.time = time;
    }

    void heard(QuorumEndpoint member) {
        heard.put(member, time.nanos());
    }

    /** Returns whether this member was heard in the last two seconds. */
    boolean isReachable(QuorumEndpoint member) {
        return isWithin(member, SILENCE_NANOS);
    }

    /** Returns the silent ones of the members, and forgets processes that are not members. */
    List<QuorumEndpoint> silent(Collection<QuorumEndpoint> members) {
        heard.keySet().retainAll(members);
        return members.stream().filter(each -> !isWithin(each, ASK.toNanos())).toList();
    }

    private boolean isWithin(QuorumEndpoint member, long nanos) {
        Long last = heard.get(member);
        return last != null && time.nanos() - last <= nanos;
    }
}
