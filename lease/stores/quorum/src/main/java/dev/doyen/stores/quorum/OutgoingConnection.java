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
 * The connection to one address. The connection is opened when a frame waits to be sent. If the connection breaks, it
 * is opened again for the next frame.
 *
 * <p>Each attempt resolves the host name again. If the connection breaks or cannot be opened, the class drops the
 * waiting frames.
 *
 * <p>Threads: any may send frames. The connection's own thread connects and writes. The connection's thread ends when
 * the {@link TcpWire} is closed.
 */
final class OutgoingConnection implements Wire.Peer {

    /** The maximum number of addresses that one attempt tries. */
    private static final int MAX_TARGETS = 16;

    private static final Duration FOR_EVER = Duration.ofDays(10_000);

    private final TcpWire wire;
    private final String address;
    private final SendQueue queue;
    private final long reconnectNanos;

    /** Used only by the connection's thread. */
    private final FailedAttempts failures = new FailedAttempts();

    /** Guarded by {@code this}. */
    private boolean isStarted;

    /** Used only by the connection's thread. */
    private long nextAttempt = System.nanoTime();

    /**
     * Selects which address of the host an attempt tries first. The first value is random, so that many processes are
     * distributed over the addresses. Used only by the connection's thread.
     */
    private int turn = ThreadLocalRandom.current().nextInt(Short.MAX_VALUE);

    private volatile @Nullable TcpConnection current;

    /** The socket, from the connection attempt to the end of the connection. */
    private volatile @Nullable Socket socket;

    /** True if the current attempt, or the connection that it opened, must end. */
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

    /** Wakes the connection's thread, so that the thread checks whether the wire was closed. */
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
                // The queue is empty if the connection was closed in the meantime.
                if (!wire.isClosed() && !queue.isEmpty()) {
                    nextAttempt = System.nanoTime() + reconnectNanos;
                    connectAndWrite();
                }
            } catch (Throwable e) {
                wire.faults().report("a connection to a member of the quorum", e);
            }
        }
    }

    /** Runs one connection, from the attempt to its end. */
    private void connectAndWrite() {
        isGivenUp = false;
        try {
            FrameCipher seal = connect();
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
            // Clear the queue before lost() is called, because frames that are sent after the call must stay in the
            // queue.
            queue.clear();
            wire.lost(address);
        }
    }

    /** Tries the current addresses of the host in turn. Each call begins with a different address. */
    private FrameCipher connect() throws IOException {
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

    private FrameCipher connect(InetSocketAddress target) throws IOException {
        if (wire.key() == null && !target.getAddress().isLoopbackAddress()) {
            throw new RefusedPeerException(
                    "its address is not on loopback, and this process has no secret; give all members the same secret");
        }
        var next = new Socket();
        socket = next;
        wire.opened(next);
        if (isGivenUp) {
            throw new SocketException("the connection was closed");
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
