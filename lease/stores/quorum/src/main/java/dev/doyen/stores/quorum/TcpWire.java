package dev.doyen.stores.quorum;

import dev.doyen.log.FaultLog;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.support.SharedKey;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Carries frames over TCP.
 *
 * <p>A process opens one connection to each address that it sends to. Each process that sends frames to this process
 * opens another connection. A process sends an answer on the connection of the request. {@link FrameCipher} describes
 * the attacks against which the secret protects.
 *
 * <p>If a process has nothing to send on a connection, it sends empty frames. Therefore a connection ends after
 * {@link WireLimits#silence} if the other process is frozen or its machine has failed. A frame that does not fit into
 * the outbound queue is dropped.
 *
 * <p>Threads: two for each connection and one that accepts connections, all daemons. The threads continue after any
 * exception (rule L8).
 */
final class TcpWire implements Wire {

    /** The maximum number of addresses that this process sends to. The wire drops frames to further addresses. */
    static final int MAX_ADDRESSES = 1_000;

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");

    /** The maximum time that {@link #close} waits for the end of the accepting thread, in milliseconds. */
    private static final long END_MILLIS = 5_000;

    private final FaultLog faults = new FaultLog(LOG);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final String address;
    private final @Nullable SharedKey key;
    private final WireSystem system;
    private final @Nullable ServerSocket listening;
    private final Map<String, OutgoingConnection> outgoing = new ConcurrentHashMap<>();

    /** All open sockets, in both directions. */
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private final IncomingConnections incoming = new IncomingConnections(this);
    private volatile Receiver receiver = new Nobody();
    private volatile @Nullable Thread accepting;

    private TcpWire(@Nullable ServerSocket listening, String address, @Nullable SharedKey key, WireSystem system) {
        this.listening = listening;
        this.address = address;
        this.key = key;
        this.system = system;
    }

    /**
     * Opens the port and returns a wire that listens. Other processes can connect after {@link #start}.
     *
     * @param address the address {@code host:port} at which other processes reach this process; port 0 selects any free
     *     port
     * @param bind the address {@code host:port} to listen on, if it differs from {@code address}
     * @param key the key derived from the secret; may be empty only if all addresses are loopback
     * @throws IllegalArgumentException if an address is invalid in this configuration
     * @throws StoreUnavailableException if the process cannot listen on the address
     */
    static TcpWire listening(String address, Optional<String> bind, Optional<SharedKey> key, WireSystem system) {
        var port = new ListeningPort(system.names(), system.limits().ownName());
        ServerSocket socket = port.open(bind.orElse(address), bind.isPresent(), key.isPresent());
        MemberAddress named = MemberAddress.of(address);
        return new TcpWire(
                socket,
                named.port() == 0 ? named.host() + ":" + socket.getLocalPort() : address,
                key.orElse(null),
                system);
    }

    /** Returns a wire that does not listen. The wire opens connections and receives frames on them. */
    static TcpWire connectingOnly(Optional<SharedKey> key, WireSystem system) {
        return new TcpWire(null, "nowhere", key.orElse(null), system);
    }

    /** Returns the address at which other processes reach this process, with the actual port. */
    String address() {
        return address;
    }

    /** Starts the wire. The method throws if the thread that accepts connections cannot be started. */
    @Override
    public void start(Receiver next) {
        receiver = next;
        ServerSocket port = listening;
        if (port != null) {
            Thread starting = thread("accept " + address, () -> incoming.acceptFrom(port));
            starting.start();
            accepting = starting;
        }
    }

    @Override
    public Peer peer(String to) {
        return new Peer() {
            @Override
            public void send(byte[] frame) {
                OutgoingConnection connection = outgoing.get(to);
                if (connection == null && outgoing.size() < MAX_ADDRESSES) {
                    connection = outgoing.computeIfAbsent(to, each -> new OutgoingConnection(TcpWire.this, each));
                }
                if (connection != null && !isClosed()) {
                    connection.send(frame);
                }
            }

            @Override
            public void end() {
                OutgoingConnection connection = outgoing.get(to);
                if (connection != null) {
                    connection.end();
                }
            }
        };
    }

    @Override
    public boolean isReachable(String to) {
        OutgoingConnection connection = outgoing.get(to);
        return connection != null && connection.isOpen();
    }

    /** Closes the wire. The method waits until the port is free, but at most {@value #END_MILLIS} ms. */
    @Override
    public void close() {
        closing.countDown();
        if (listening != null) {
            try {
                listening.close();
            } catch (IOException e) {
                debug("the port of this member of the quorum could not be closed", e);
            }
        }
        sockets.forEach(this::close);
        outgoing.values().forEach(OutgoingConnection::wake);
        awaitEndOfAccepting();
    }

    /** Waits until the accepting thread has ended. The port remains open while a thread is in a system call on it. */
    private void awaitEndOfAccepting() {
        Thread thread = accepting;
        if (thread != null) {
            try {
                thread.join(END_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    FaultLog faults() {
        return faults;
    }

    WireLimits limits() {
        return system.limits();
    }

    HostNames names() {
        return system.names();
    }

    @Nullable
    SharedKey key() {
        return key;
    }

    Receiver receiver() {
        return receiver;
    }

    boolean isClosed() {
        return closing.getCount() == 0;
    }

    /** Waits until this time has passed or the wire is closed. */
    void pause(long nanos) throws InterruptedException {
        // The caller checks whether the wire was closed.
        boolean unused = closing.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Starts a thread, and returns false if the start failed. */
    boolean startThread(String name, Runnable task) {
        return faults.survives(
                "the start of a thread of the quorum's network",
                () -> thread(name, task).start());
    }

    /**
     * Registers a socket, so that {@link #close} also closes the socket.
     *
     * @throws SocketException if the wire is already closed
     */
    void opened(Socket socket) throws SocketException {
        sockets.add(socket);
        if (isClosed()) {
            throw new SocketException("the network of this member was closed");
        }
    }

    void close(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            debug("a connection of the quorum could not be closed", e);
        }
    }

    /**
     * Adds a frame to an outbound queue. Returns false if the queue has no room. If the length of the frame is invalid,
     * the method drops the frame, reports a fault, and returns true.
     */
    boolean enqueue(SendQueue queue, String to, byte[] frame) {
        if (frame.length == 0 || frame.length > MAX_FRAME) {
            faults.report(
                    "the sending of a frame",
                    new IllegalArgumentException(
                            "a frame of the quorum has " + frame.length + " bytes; its bounds are 1 and " + MAX_FRAME));
        } else if (!queue.offer(frame)) {
            warn(
                    "frames to a process of the quorum were dropped",
                    to,
                    new RefusedPeerException("it reads too slowly, so too many frames wait"));
            return false;
        }
        return true;
    }

    /** Logs why a connection ended. Each kind of rejection is logged only once. */
    void ended(String peer, IOException why) {
        if (isClosed()) {
            return;
        }
        if (why instanceof RefusedPeerException refused) {
            warn("a connection of the quorum was closed", peer, refused);
        } else {
            debug("the connection with " + peer + " ended", why);
        }
    }

    /**
     * Logs why a connection could not be opened.
     *
     * @param isFirst true if this is the first failed attempt to reach this address, and no attempt has succeeded
     *     before
     */
    void unreachable(String to, IOException why, boolean isFirst) {
        // A client logs this only at DEBUG, because its calls fail with a reason if no member answers.
        if (isFirst && listening != null && !isClosed()) {
            faults.survives(
                    "a line of the log",
                    () -> LOG.log(
                            Level.INFO,
                            to + " is not reachable yet (" + why.getMessage() + "); this process tries again until it"
                                    + " is. Further attempts are not logged"));
        } else if (!isClosed()) {
            debug(to + " is not reachable", why);
        }
    }

    /** Notifies the receiver that earlier frames to this address are possibly lost. */
    void lost(String to) {
        if (!isClosed()) {
            faults.survives("ending a connection of the quorum", () -> receiver.lost(to));
        }
    }

    /** Logs each kind of warning only once, regardless of the address. */
    void warn(String what, String peer, RefusedPeerException why) {
        if (faults.isNew(what, why)) {
            faults.survives(
                    "a line of the log",
                    () -> LOG.log(
                            Level.WARNING,
                            what + " (" + peer + "): " + why.getMessage()
                                    + ". Further events of this kind are not logged"));
        }
    }

    private void debug(String text, IOException why) {
        faults.survives("a line of the log", () -> LOG.log(Level.DEBUG, text, why));
    }

    private Thread thread(String name, Runnable task) {
        Thread made = system.threads().newThread(task);
        made.setName("doyen-quorum-" + name);
        made.setDaemon(true);
        return made;
    }

    /** A receiver that ignores all frames. The wire uses this receiver until the wire is started. */
    private static final class Nobody implements Receiver {
        @Override
        public void receive(Peer from, byte[] frame) {}

        @Override
        public void lost(String address) {}
    }
}
