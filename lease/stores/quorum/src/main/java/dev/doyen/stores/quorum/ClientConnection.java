package dev.doyen.stores.quorum;

import dev.doyen.store.LeaseStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One client of a member, with the client's watches and the number of unanswered requests.
 *
 * <p>When the connection ends, all watches of the client end. Threads: any.
 */
final class ClientConnection {

    /** The maximum number of unanswered requests of one client. A {@link QuorumClient} sends fewer requests at once. */
    static final int MAX_WAITING = 2 * QuorumClient.MAX_CALLS;

    private final Wire.Peer peer;

    /** Guarded by {@code this}. */
    private final Map<String, LeaseStore.Watch> watches = new HashMap<>();

    private int waiting;
    private boolean isEnded;

    ClientConnection(Wire.Peer peer) {
        this.peer = peer;
    }

    void send(byte[] frame) {
        peer.send(frame);
    }

    /** Ends the connection. The client continues with another member. */
    void drop() {
        peer.end();
    }

    synchronized void requestArrived() {
        if (waiting >= MAX_WAITING) {
            throw new MalformedBytesException("a client sent " + MAX_WAITING + " requests without waiting for answers");
        }
        waiting++;
    }

    synchronized void requestAnswered() {
        waiting--;
    }

    /** Starts to watch those elections in the list that the client does not watch yet. */
    synchronized void watch(List<String> elections, Function<String, LeaseStore.Watch> begin) {
        for (String election : elections) {
            if (!isEnded && !watches.containsKey(election)) {
                if (watches.size() >= WatchedLeases.MAX) {
                    throw new MalformedBytesException("a client watches more than " + WatchedLeases.MAX + " elections");
                }
                watches.put(election, begin.apply(election));
            }
        }
    }

    synchronized void unwatch(List<String> elections) {
        for (String election : elections) {
            LeaseStore.Watch watch = watches.remove(election);
            if (watch != null) {
                watch.close();
            }
        }
    }

    synchronized int watchCount() {
        return watches.size();
    }

    /** Closes all watches, because the connection has ended. */
    synchronized void ended() {
        isEnded = true;
        watches.values().forEach(LeaseStore.Watch::close);
        watches.clear();
    }
}
