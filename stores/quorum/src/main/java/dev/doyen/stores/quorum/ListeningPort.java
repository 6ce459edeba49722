package dev.doyen.stores.quorum;

import dev.doyen.store.SharedKey;
import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** The port at which a member can be reached. Threads: any. */
final class ListeningPort {

    private static final int BACKLOG = 128;

    private ListeningPort() {}

    /**
     * Opens the port.
     *
     * @param address {@code host:port}; port 0 stands for any free one
     * @param hasSecret whether others must prove that they know a secret; without it only loopback is possible
     * @throws IllegalArgumentException if the address cannot be meant
     * @throws StoreUnavailableException if it cannot be listened on
     */
    static ServerSocket open(String address, boolean hasSecret) {
        String what = "this member of the quorum cannot listen on " + address;
        try {
            InetSocketAddress own = MemberAddress.of(address).resolve().get(0);
            if (own.getAddress().isAnyLocalAddress()) {
                throw new IllegalArgumentException(
                        what + ", which is every address; name the one at which the others find this process");
            }
            if (!hasSecret && !own.getAddress().isLoopbackAddress()) {
                throw new IllegalArgumentException(what + ", which others can reach, without a secret; give all members"
                        + " the same secret of at least " + SharedKey.MIN_SECRET
                        + " characters, or listen on 127.0.0.1");
            }
            return new ServerSocket(own.getPort(), BACKLOG, own.getAddress());
        } catch (UnknownHostException e) {
            throw new StoreUnavailableException(
                    what + ": its host is unknown; name the host at which the others find this process", e);
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    what + " (" + e.getMessage() + "); choose another port, or stop the process that uses it", e);
        }
    }
}
