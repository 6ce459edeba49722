package dev.doyen.elector.http;

/**
 * The limits of one client address on one port. All addresses of an IPv6 /64 network count as one address.
 *
 * @param connections the maximum number of open connections; an accepted WebSocket does not count
 * @param streams the maximum number of open event streams
 */
public record AddressLimits(int connections, int streams) {

    public static final AddressLimits DEFAULT = new AddressLimits(200, 100);

    /** The largest value of each limit. */
    public static final int MAX = 1_000_000;

    public AddressLimits {
        if (connections < 1 || connections > MAX || streams < 1 || streams > MAX) {
            throw new IllegalArgumentException("the limits of an address, " + connections + " connections and "
                    + streams + " streams, must be from 1 to " + MAX);
        }
    }
}
