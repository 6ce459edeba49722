package dev.doyen.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Forwards a port of this machine to another one, and loses bytes on demand.
 *
 * <p>Threads: two daemon threads per connection. Any thread may call the methods.
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

    /** Loses everything that the server sends from now on. Requests still arrive. */
    public void loseAnswers() {
        answersLost = true;
    }

    /** Loses everything that clients send from now on. */
    public void loseRequests() {
        requestsLost = true;
    }

    /** Closes all connections, and rejects new ones until {@link #pass}. */
    public void cut() throws IOException {
        refusing = true;
        cutOpenOnes();
    }

    /**
     * Closes all connections with a reset (RFC 9293, 3.10.7).
     *
     * <p>A killed process does so if it has unread data.
     */
    public void reset() throws IOException {
        for (Socket socket : open) {
            socket.setSoLinger(true, 0);
        }
        cutOpenOnes();
    }

    /** Accepts connections and forwards all bytes again. Closes all older connections. */
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
                // The server is unreachable, or this proxy is closed. The clients find their connections closed.
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
            // One side has closed its connection, so close the other one too.
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
