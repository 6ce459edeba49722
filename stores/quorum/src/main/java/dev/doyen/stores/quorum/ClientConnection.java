package dev.doyen.stores.quorum;

import dev.doyen.store.LeaseStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One client of a member: what it watches, and how many of its requests have no answer yet. Nothing is watched after its end.
 *
 * <p>Threads: any.
 */
final class ClientConnection {

    /** The most requests of one client that wait for an answer at a time. A client itself sends fewer. */
    static final int MAX_WAITING = 2 * QuorumClient.MAX_CALLS;

    private final Wire.Peer peer;

    /** Guarded by this. */
    private final Map<String, LeaseStore.Watch> watches = new HashMap<>();

    private int waiting;
    private boolean isEnded;

    ClientConnection(Wire.Peer peer) {
        this.peer = peer;
    }

    void send(byte[] frame) {
        peer.send(frame);
    }

    /** Ends the connection. The client goes on with another member. */
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

    /** Begins to watch these elections, unless they are watched. */
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

    /** The connection has ended. */
    synchronized void ended() {
        isEnded = true;
        watches.values().forEach(LeaseStore.Watch::close);
        watches.clear();
    }
}
