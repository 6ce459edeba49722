package dev.doyen.stores.quorum;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one address. It is made when there is something to send, and made anew when it broke. Frames that
 * wait when it breaks, or when it cannot be made, are dropped.
 *
 * <p>Threads: any may send. Its own thread connects and writes, and lives until the wire is closed.
 */
final class OutgoingConnection implements Wire.Peer {

    private static final Duration FOR_EVER = Duration.ofDays(10_000);

    private final TcpWire wire;
    private final String address;
    private final SendQueue queue;
    private final long reconnectNanos;

    /** Guarded by this. */
    private boolean isStarted;

    /** The thread's own. */
    private long nextAttempt = System.nanoTime();

    private volatile @Nullable TcpConnection current;

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
                if (!wire.isClosed()) {
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
        var socket = new Socket();
        try {
            wire.opened(socket);
            FrameSeal seal = connect(socket);
            var connection = new TcpConnection(wire, socket, address, seal, queue);
            if (wire.startThread("read " + address, connection::read)) {
                current = connection;
                connection.write();
            }
        } catch (IOException e) {
            wire.ended(address, e);
        } finally {
            current = null;
            wire.close(socket);
            // First, so that a frame that is sent after the notice is not dropped.
            queue.clear();
            wire.lost(address);
        }
    }

    private FrameSeal connect(Socket socket) throws IOException {
        InetSocketAddress target = TcpWire.resolve(address);
        if (wire.key() == null && !target.getAddress().isLoopbackAddress()) {
            throw new RefusedPeerException(
                    "its address is not on loopback, and this process has no secret; give all members the same secret");
        }
        socket.setTcpNoDelay(true);
        socket.connect(target, (int) wire.limits().connect().toMillis());
        return Handshake.connecting(socket, wire.key(), wire.limits().proof());
    }
}
