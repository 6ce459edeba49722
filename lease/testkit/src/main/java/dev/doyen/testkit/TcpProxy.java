package dev.doyen.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Forwards ports of this computer to other ports, and loses bytes on demand.
 *
 * <p>Threads: the proxy has one daemon thread for each port and two for each connection. Any thread may call the
 * methods.
 */
public final class TcpProxy implements AutoCloseable {

    private final List<ServerSocket> listening = new ArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean answersLost;
    private volatile boolean requestsLost;
    private volatile boolean refusing;
    private volatile Set<Socket> silent = Set.of();

    public TcpProxy(int target) throws IOException {
        this(List.of(target), List.of());
    }

    /**
     * Opens a port of this proxy for each target. {@link #cut} closes the connections of all ports.
     *
     * @param servers the target ports whose requests and answers the proxy can lose
     * @param others further target ports; the proxy loses bytes of their connections only after {@link #silence}
     */
    public TcpProxy(List<Integer> servers, List<Integer> others) throws IOException {
        for (int target : servers) {
            listen(target, true);
        }
        for (int target : others) {
            listen(target, false);
        }
    }

    /** Returns the port of this proxy for the first target. */
    public int port() {
        return port(0);
    }

    /** Returns the port of this proxy for the target with this index. Index 0 is the first server. */
    public int port(int index) {
        return listening.get(index).getLocalPort();
    }

    /** Loses all bytes that the server sends from now on. Requests still arrive. */
    public void loseAnswers() {
        answersLost = true;
    }

    /** Loses all bytes that clients send from now on. */
    public void loseRequests() {
        requestsLost = true;
    }

    /** Loses all bytes of the connections that are open now, in both directions. Forwards later connections. */
    public void silence() {
        silent = Set.copyOf(open);
    }

    /** Closes all connections, and rejects new connections until {@link #pass}. */
    public void cut() throws IOException {
        refusing = true;
        cutOpenOnes();
    }

    /**
     * Closes all connections with a reset (RFC 9293, 3.10.7).
     *
     * <p>The operating system also resets the connections of a killed process that has not read all data.
     */
    public void reset() throws IOException {
        for (Socket socket : open) {
            try {
                socket.setSoLinger(true, 0);
            } catch (SocketException e) {
                // The socket was closed in the meantime.
            }
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
        for (ServerSocket socket : listening) {
            socket.close();
        }
        cut();
    }

    private void cutOpenOnes() throws IOException {
        for (Socket socket : List.copyOf(open)) {
            socket.close();
            open.remove(socket);
        }
    }

    private void listen(int target, boolean canLose) throws IOException {
        var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listening.add(socket);
        daemon(() -> accept(socket, target, canLose), "doyen-test-proxy");
    }

    private void accept(ServerSocket socket, int target, boolean canLose) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                open.add(client);
                if (refusing) {
                    client.close();
                    open.remove(client);
                    continue;
                }
                var server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(server);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                daemon(() -> pass(client, server, () -> canLose && requestsLost), "doyen-test-proxy-up");
                daemon(() -> pass(server, client, () -> canLose && answersLost), "doyen-test-proxy-down");
            } catch (IOException e) {
                // The server is unreachable, or this proxy is closed. Close all open connections.
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

    private void pass(Socket from, Socket to, BooleanSupplier isLost) {
        byte[] bytes = new byte[64 * 1024];
        try (from;
                to) {
            for (int n = from.getInputStream().read(bytes);
                    n >= 0;
                    n = from.getInputStream().read(bytes)) {
                if (!isLost.getAsBoolean() && !silent.contains(from)) {
                    to.getOutputStream().write(bytes, 0, n);
                }
            }
        } catch (SocketException e) {
            // One side has closed its connection, so close the connection of the other side too.
        } catch (IOException e) {
            throw new IllegalStateException("the proxy could not forward the received bytes", e);
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
