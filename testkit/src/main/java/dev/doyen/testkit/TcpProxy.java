package dev.doyen.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A network that loses things: a port of this machine that passes bytes on to another port of it, or does not.
 *
 * <p>Threads: two per connection, all daemons; the controls may be called by any.
 */
public final class TcpProxy implements AutoCloseable {

    private final ServerSocket listening;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean answersLost;
    private volatile boolean requestsLost;
    private volatile boolean refusing;

    public TcpProxy(int target) throws IOException {
        this.target = target;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept, "doyen-test-proxy");
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** What the server says from now on never arrives; what it is told does. */
    public void loseAnswers() {
        answersLost = true;
    }

    /** What the server is told from now on never arrives. */
    public void loseRequests() {
        requestsLost = true;
    }

    /** Ends all connections, and takes no new ones until {@link #pass}. */
    public void cut() throws IOException {
        refusing = true;
        cutOpenOnes();
    }

    /** Ends all connections with a reset (RFC 9293, 3.10.7), as a killed process does that has not read everything. */
    public void reset() throws IOException {
        for (Socket socket : open) {
            socket.setSoLinger(true, 0);
        }
        cutOpenOnes();
    }

    /** Takes connections, and passes on what is said on them. Those that lost something before are ended. */
    public void pass() throws IOException {
        cutOpenOnes();
        answersLost = false;
        requestsLost = false;
        refusing = false;
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }

    private void cutOpenOnes() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                open.add(client);
                if (refusing) {
                    client.close();
                    continue;
                }
                var server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(server);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                daemon(() -> pass(client, server, true), "doyen-test-proxy-up");
                daemon(() -> pass(server, client, false), "doyen-test-proxy-down");
            } catch (IOException e) {
                // The server is away, or this is closed: the client finds its connection ended.
                cutQuietly();
            }
        }
    }

    private void cutQuietly() {
        try {
            cutOpenOnes();
        } catch (IOException e) {
            throw new IllegalStateException("a socket of the proxy could not be closed", e);
        }
    }

    private void pass(Socket from, Socket to, boolean up) {
        byte[] bytes = new byte[64 * 1024];
        try (from;
                to) {
            for (int n = from.getInputStream().read(bytes);
                    n >= 0;
                    n = from.getInputStream().read(bytes)) {
                if (up ? !requestsLost : !answersLost) {
                    to.getOutputStream().write(bytes, 0, n);
                }
            }
        } catch (SocketException e) {
            // One side has gone, so the other goes too.
        } catch (IOException e) {
            throw new IllegalStateException("the proxy could not pass on what it heard", e);
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void daemon(Runnable task, String name) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
