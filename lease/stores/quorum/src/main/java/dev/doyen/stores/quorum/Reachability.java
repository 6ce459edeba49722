package dev.doyen.stores.quorum;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks which members this process has received messages from recently.
 *
 * <p>Raft messages and answers to requests count as messages. An open connection alone does not count, because the
 * process can be frozen, or a different process can listen at the address now.
 *
 * <p>Threads: any.
 */
final class Reachability {

    /**
     * The time without a message from a member after which this process sends a request to that member. The same time
     * passes between two such requests.
     */
    static final Duration PROBE_INTERVAL = Duration.ofMillis(500);

    private static final long SILENCE_NANOS = Duration.ofSeconds(2).toNanos();

    private final RaftTime time;
    private final Map<QuorumEndpoint, Long> lastMessages = new ConcurrentHashMap<>();

    Reachability(RaftTime time) {
        this.time = time;
    }

    void messageReceived(QuorumEndpoint member) {
        lastMessages.put(member, time.nanos());
    }

    /** Returns true if this member sent a message in the last two seconds. */
    boolean isReachable(QuorumEndpoint member) {
        return isWithin(member, SILENCE_NANOS);
    }

    /**
     * Returns the members that were silent for {@link #PROBE_INTERVAL}. The method also removes the data of all
     * processes that are not members.
     */
    List<QuorumEndpoint> silent(Collection<QuorumEndpoint> members) {
        lastMessages.keySet().retainAll(members);
        return members.stream()
                .filter(each -> !isWithin(each, PROBE_INTERVAL.toNanos()))
                .toList();
    }

    private boolean isWithin(QuorumEndpoint member, long nanos) {
        Long last = lastMessages.get(member);
        return last != null && time.nanos() - last <= nanos;
    }
}
