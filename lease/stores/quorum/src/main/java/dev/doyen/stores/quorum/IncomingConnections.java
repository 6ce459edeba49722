package dev.doyen.stores.quorum;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Accepts the connections that other processes open to this process.
 *
 * <p>The number of connections is limited. A lower limit applies to connections whose peer has not yet proved that it
 * has the secret.
 *
 * <p>Threads: one thread accepts connections. Only this thread adds connections, so the limits are never exceeded.
 */
final class IncomingConnections {

    private final TcpWire wire;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> unproved = ConcurrentHashMap.newKeySet();

    IncomingConnections(TcpWire wire) {
        this.wire = wire;
    }

    /** Accepts connections until the {@link TcpWire} is closed. */
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

    /** Waits for a short time after a failed accept, because the next accept can also fail immediately. */
    private void pause() {
        try {
            wire.pause(wire.limits().reconnect().toNanos());
        } catch (InterruptedException e) {
            // No code interrupts this thread.
        }
    }

    private void admit(Socket socket) {
        boolean isServed = false;
        try {
            String from = String.valueOf(socket.getRemoteSocketAddress()).replaceFirst("^.*/", "");
            if (open.size() >= wire.limits().incoming()) {
                refuse(from, wire.limits().incoming() + " other connections are open");
            } else if (unproved.size() >= wire.limits().unproved()) {
                refuse(
                        from,
                        wire.limits().unproved() + " other connections have not proved yet that they have the secret");
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
                new RefusedPeerException(why + ", which is the limit of this process"));
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
