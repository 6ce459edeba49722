package dev.doyen.stores.quorum;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one address. It is made when there is something to send, and made anew when it broke. The host's name
 * is resolved each time. Frames that wait when it breaks, or when it cannot be made, are dropped.
 *
 * <p>Threads: any may send. Its own thread connects and writes, and lives until the wire is closed.
 */
final class OutgoingConnection implements Wire.Peer {

    /** Addresses of one host that are tried at one attempt. */
    private static final int MAX_TARGETS = 16;

    private static final Duration FOR_EVER = Duration.ofDays(10_000);

    private final TcpWire wire;
    private final String address;
    private final SendQueue queue;
    private final long reconnectNanos;

    /** The thread's own. */
    private final FailedAttempts failures = new FailedAttempts();

    /** Guarded by this. */
    private boolean isStarted;

    /** The thread's own. */
    private long nextAttempt = System.nanoTime();

    /** Which of the host's addresses comes first. Random, so that many processes spread. The thread's own. */
    private int turn = ThreadLocalRandom.current().nextInt(Short.MAX_VALUE);

    private volatile @Nullable TcpConnection current;

    /** From the attempt to connect to the end of the connection. */
    private volatile @Nullable Socket socket;

    /** Whether the present attempt, or its connection, is to end. */
    private volatile boolean isGivenUp;

    OutgoingConnection(TcpWire wire, String address) {
        this.wire = wire;
        this.address = address;
        this.queue = new SendQueue(wire.limits());
        this.reconnectNanos = wire.limits().reconnect().toNanos();
    }

    @Override
    public void send(byte[] frame) {
        if (start()) {
            wire.enqueue(queue, address, frame);
        }
    }

    boolean isOpen() {
        TcpConnection now = current;
        return now != null && !now.isClosed();
    }

    @Override
    public void end() {
        queue.clear();
        isGivenUp = true;
        closeSocket();
    }

    /** Lets the thread find that the wire was closed. */
    void wake() {
        queue.wake();
    }

    private synchronized boolean start() {
        if (!isStarted) {
            isStarted = wire.startThread("write " + address, this::run);
        }
        return isStarted;
    }

    private void run() {
        while (!wire.isClosed()) {
            try {
                queue.await(FOR_EVER, wire::isClosed);
                wire.pause(nextAttempt - System.nanoTime());
                // It is empty if the connection was given up meanwhile.
                if (!wire.isClosed() && !queue.isEmpty()) {
                    nextAttempt = System.nanoTime() + reconnectNanos;
                    connectAndWrite();
                }
            } catch (Throwable e) {
                wire.faults().report("a connection to a member of the quorum", e);
            }
        }
    }

    /** One connection, from the attempt to make it to its end. */
    private void connectAndWrite() {
        isGivenUp = false;
        try {
            FrameSeal seal = connect();
            failures.connected();
            var connection = new TcpConnection(wire, Objects.requireNonNull(socket), address, seal, queue);
            if (wire.startThread("read " + address, connection::read)) {
                current = connection;
                connection.write();
            }
        } catch (IOException e) {
            failed(e);
        } finally {
            current = null;
            closeSocket();
            // First, so that a frame that is sent after the notice is not dropped.
            queue.clear();
            wire.lost(address);
        }
    }

    /** Tries the addresses that the host has now, and begins with another one each time. */
    private FrameSeal connect() throws IOException {
        List<InetSocketAddress> targets = MemberAddress.of(address).resolve(wire.names());
        int count = Math.min(targets.size(), MAX_TARGETS);
        turn++;
        for (int i = 1; ; i++) {
            try {
                return connect(targets.get(Math.floorMod(turn + i, targets.size())));
            } catch (IOException e) {
                closeSocket();
                if (i == count || isGivenUp || wire.isClosed()) {
                    throw e;
                }
                failed(e);
            }
        }
    }

    private void failed(IOException why) {
        if (!isGivenUp) {
            failures.warning(why)
                    .ifPresentOrElse(
                            refused -> wire.ended(address, refused),
                            () -> wire.unreachable(address, why, failures.isToBeAnnounced()));
        }
    }

    private FrameSeal connect(InetSocketAddress target) throws IOException {
        if (wire.key() == null && !target.getAddress().isLoopbackAddress()) {
            throw new RefusedPeerException(
                    "its address is not on loopback, and this process has no secret; give all members the same secret");
        }
        var next = new Socket();
        socket = next;
        wire.opened(next);
        if (isGivenUp) {
            throw new SocketException("the connection was given up");
        }
        next.setTcpNoDelay(true);
        next.connect(target, (int) wire.limits().connect().toMillis());
        return Handshake.connecting(next, wire.key(), wire.limits().proof());
    }

    private void closeSocket() {
        Socket now = socket;
        if (now != null) {
            wire.close(now);
        }
    }
}
