package dev.doyen.injector.driver;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Tracks the webhook's connections, and selects the connection to close at a limit.
 *
 * <p>The server admits every new connection. If a limit is reached, the server closes an older connection. At the limit
 * of one address, the server closes a connection of this address. So a peer that opens connections and does not use
 * them cannot keep an API server out. Idle connections are closed first, because no admission waits for them. A
 * connection is idle from an answer to the next request. Among several idle connections, or among several busy ones,
 * the server closes the connection that has been in this state for the longest time.
 *
 * <p>Threads: any.
 *
 * @param <C> the type of a connection, which is a Netty channel outside of tests
 */
final class OpenConnections<C> {

    private final int maxConnections;
    private final int maxPerPeer;

    // Both maps are ordered by the time at which a connection came into its state.
    private final Map<C, InetAddress> idle = new LinkedHashMap<>();
    private final Map<C, InetAddress> busy = new LinkedHashMap<>();

    OpenConnections(int maxConnections, int maxPerPeer) {
        this.maxConnections = maxConnections;
        this.maxPerPeer = maxPerPeer;
    }

    /** Adds a connection. If a limit is reached, returns the older connection that the server must close. */
    synchronized Optional<C> opened(C connection, InetAddress peer) {
        Optional<C> surplus = Optional.empty();
        if (all().filter(each -> each.getValue().equals(peer)).count() >= maxPerPeer) {
            surplus = first(peer::equals);
        } else if (all().count() >= maxConnections) {
            surplus = first(any -> true);
        }
        surplus.ifPresent(this::closed);
        busy.put(connection, peer);
        return surplus;
    }

    /** Records that a request has begun. */
    synchronized void requested(C connection) {
        move(connection, idle, busy);
    }

    /** Records that the server has answered the request, so that the connection is idle. */
    synchronized void answered(C connection) {
        move(connection, busy, idle);
    }

    synchronized void closed(C connection) {
        idle.remove(connection);
        busy.remove(connection);
    }

    private static <C> void move(C connection, Map<C, InetAddress> from, Map<C, InetAddress> to) {
        var peer = from.remove(connection);
        if (peer != null) {
            to.put(connection, peer);
        }
    }

    private Optional<C> first(Predicate<InetAddress> peers) {
        return all().filter(each -> peers.test(each.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private Stream<Map.Entry<C, InetAddress>> all() {
        return Stream.concat(idle.entrySet().stream(), busy.entrySet().stream());
    }
}
