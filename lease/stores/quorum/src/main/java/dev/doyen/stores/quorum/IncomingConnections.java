package dev.doyen.stores.quorum;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Accepts the connections that others open to this process.
 *
 * <p>Their number is limited. A lower limit applies to the connections whose other side has not yet proved that it
 * knows the secret.
 *
 * <p>Threads: one accepts. Only this thread adds connections, so the limits are never exceeded.
 */
final class IncomingConnections {

    private final TcpWire wire;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> unproved = ConcurrentHashMap.newKeySet();

    IncomingConnections(TcpWire wire) {
        this.wire = wire;
    }

    /** Accepts connections until the wire is closed. */
    void acceptFrom(ServerSocket listening) {
        while (!wire.isClosed()) {
            try {
                admit(listening.accept());
            } catch (Throwable e) {
                if (!wire.isClosed()) {
                    wire.faults().report("accepting a connection of the quorum", e);
                    pause();
                }
            }
        }
    }

    /** Waits a moment, because the same fault may recur immediately. */
    private void pause() {
        try {
            wire.pause(wire.limits().reconnect().toNanos());
        } catch (InterruptedException e) {
            // Nothing interrupts this thread to end it.
        }
    }

    private void admit(Socket socket) {
        boolean isServed = false;
        try {
            String from = String.valueOf(socket.getRemoteSocketAddress()).replaceFirst("^.*/", "");
            if (open.size() >= wire.limits().incoming()) {
                refuse(from, wire.limits().incoming() + " others have connections open");
            } else if (unproved.size() >= wire.limits().unproved()) {
                refuse(from, wire.limits().unproved() + " others have not proved yet that they know the secret");
            } else {
                open.add(socket);
                unproved.add(socket);
                isServed = wire.startThread("read " + from, () -> serve(socket, from));
            }
        } finally {
            if (!isServed) {
                release(socket);
            }
        }
    }

    private void refuse(String from, String why) {
        wire.warn(
                "a connection to this member of the quorum was refused",
                from,
                new RefusedPeerException(why + ", and this process takes no more"));
    }

    /** Serves one connection from its handshake to its end. */
    private void serve(Socket socket, String from) {
        try {
            wire.opened(socket);
            socket.setTcpNoDelay(true);
            FrameCipher seal =
                    Handshake.accepting(socket, wire.key(), wire.limits().proof());
            unproved.remove(socket);
            var connection = new TcpConnection(wire, socket, from, seal, new SendQueue(wire.limits()));
            if (wire.startThread("write " + from, connection::write)) {
                connection.read();
            }
        } catch (IOException e) {
            wire.ended(from, e);
        } catch (Throwable e) {
            wire.faults().report("a connection of the quorum", e);
        } finally {
            release(socket);
        }
    }

    private void release(Socket socket) {
        unproved.remove(socket);
        open.remove(socket);
        wire.close(socket);
    }
}
