package dev.doyen.stores.quorum;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.support.SharedKey;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Opens the port on which a member listens. Threads: one. */
final class ListeningPort {

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);
    private static final int BACKLOG = 128;

    private final HostNames names;
    private final Duration nameWait;

    /**
     * @param nameWait the maximum time until the member's own name resolves; a headless Service publishes a pod's name
     *     late
     */
    ListeningPort(HostNames names, Duration nameWait) {
        this.names = names;
        this.nameWait = nameWait;
    }

    /**
     * Opens the port. The method waits if the host name has no address yet.
     *
     * @param address {@code host:port}; port 0 selects any free port
     * @param isBindAddress true if the user gave this address only for listening, so that it may be the wildcard
     *     address
     * @param hasSecret true if other processes must prove that they have a secret; without a secret, only loopback
     *     addresses are allowed
     * @throws IllegalArgumentException if the address is invalid in this configuration
     * @throws StoreUnavailableException if the process cannot listen on this address
     */
    ServerSocket open(String address, boolean isBindAddress, boolean hasSecret) {
        String what = "this member of the quorum cannot listen on " + address;
        MemberAddress own = MemberAddress.of(address);
        try {
            InetSocketAddress bound = awaitAddress(own, what);
            if (bound.getAddress().isAnyLocalAddress() && !isBindAddress) {
                throw new IllegalArgumentException(
                        what + ", which means every address; give the address at which other members reach this"
                                + " process, and also listen=" + address);
            }
            if (!hasSecret && !bound.getAddress().isLoopbackAddress()) {
                throw new IllegalArgumentException(what + ", which other machines can reach, without a secret;"
                        + " give all members the same secret of at least " + SharedKey.MIN_SECRET
                        + " characters, or listen on 127.0.0.1");
            }
            return new ServerSocket(bound.getPort(), BACKLOG, bound.getAddress());
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    what + " (" + e.getMessage() + "); choose another port, or stop the process that uses it; if others"
                            + " reach this process at an address that its machine does not have, add listen=host:port",
                    e);
        }
    }

    private InetSocketAddress awaitAddress(MemberAddress own, String what) {
        long start = System.nanoTime();
        boolean isLogged = false;
        while (true) {
            try {
                return own.resolve(names).get(0);
            } catch (UnknownHostException e) {
                if (System.nanoTime() - start >= nameWait.toNanos()
                        || Thread.currentThread().isInterrupted()) {
                    throw new StoreUnavailableException(
                            what + ": its host is unknown; name the host at which other members reach this process", e);
                }
                if (!isLogged) {
                    LOG.log(
                            Level.INFO,
                            "this member of the quorum waits up to " + nameWait.toSeconds() + " s until the name "
                                    + own.host() + " has an address");
                    isLogged = true;
                }
                LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
            }
        }
    }
}
