package dev.doyen.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of loopback for members that must be named before they are opened. Each is held, with the one that its member opens
 * besides, until just before it is used. They lie below the ports that systems give to a process that asks for any.
 *
 * <p>No other test gets a port before {@link #close}, also if it runs in another JVM: the UDP port of the same number marks
 * a TCP port as taken.
 *
 * <p>Threads: one.
 */
public final class HeldPorts implements AutoCloseable {

    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int MAX_TRIES = 1_000;

    private final int offset;
    private final Map<Integer, List<ServerSocket>> held = new LinkedHashMap<>();
    private final List<DatagramSocket> marks = new ArrayList<>();

    private HeldPorts(int offset) {
        this.offset = offset;
    }

    /**
     * Holds with each port another.
     *
     * @param offset how far above its port each member opens another, such as {@code ClusterSettings.SUSPICION_OFFSET}
     */
    public static HeldPorts withAnother(int offset) {
        return new HeldPorts(offset);
    }

    /**
     * So many ports, held.
     *
     * @throws IllegalStateException if there are not so many
     */
    public List<Integer> take(int count) {
        var taken = new ArrayList<Integer>();
        for (int tries = 0; taken.size() < count; tries++) {
            if (tries == MAX_TRIES) {
                throw new IllegalStateException("no free ports from " + LOWEST + " to " + HIGHEST);
            }
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (mark(port) && mark(port + offset) && hold(port)) {
                taken.add(port);
            }
        }
        return taken;
    }

    /** Lets go of a port, for it is opened now. */
    public void release(int port) {
        close(held.getOrDefault(port, List.of()));
        held.remove(port);
    }

    @Override
    public void close() {
        held.values().forEach(HeldPorts::close);
        held.clear();
        marks.forEach(DatagramSocket::close);
        marks.clear();
    }

    /** A mark whose port is not used stays until the test ends. */
    private boolean mark(int port) {
        try {
            marks.add(new DatagramSocket(port, InetAddress.getLoopbackAddress()));
            return true;
        } catch (SocketException e) {
            return false;
        }
    }

    private boolean hold(int port) {
        var sockets = new ArrayList<ServerSocket>();
        try {
            sockets.add(open(port));
            sockets.add(open(port + offset));
            held.put(port, sockets);
            return true;
        } catch (IOException e) {
            close(sockets);
            return false;
        }
    }

    private static ServerSocket open(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    private static void close(List<ServerSocket> sockets) {
        for (ServerSocket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
