package dev.doyen.stores.quorum;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks which members this process has received messages from recently.
 *
 * <p>Raft messages and answers to requests count. A connection alone does not count: a frozen process may have one, and
 * another process may listen at the address.
 *
 * <p>Threads: any.
 */
final class Reachability {

    /**
     * The time without a message after which a member is asked for an answer. It is also the time between two such
     * requests.
     */
    static final Duration ASK = Duration.ofMillis(500);

    private static final long SILENCE_NANOS = Duration.ofSeconds(2).toNanos();

    private final RaftTime time;
    private final Map<QuorumEndpoint, Long> lastMessages = new ConcurrentHashMap<>();

    Reachability(RaftTime time) {
        this.time = time;
    }

    void messageReceived(QuorumEndpoint member) {
        lastMessages.put(member, time.nanos());
    }

    /** Returns whether this member sent a message in the last two seconds. */
    boolean isReachable(QuorumEndpoint member) {
        return isWithin(member, SILENCE_NANOS);
    }

    /** Returns the members that were silent for {@link #ASK}. Forgets all processes that are not members. */
    List<QuorumEndpoint> silent(Collection<QuorumEndpoint> members) {
        lastMessages.keySet().retainAll(members);
        return members.stream().filter(each -> !isWithin(each, ASK.toNanos())).toList();
    }

    private boolean isWithin(QuorumEndpoint member, long nanos) {
        Long last = lastMessages.get(member);
        return last != null && time.nanos() - last <= nanos;
    }
}
