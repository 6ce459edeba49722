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
 * Reserves loopback ports for members whose ports must be known before the members open them.
 *
 * <p>This object binds each reserved port. The test releases the port just before the member opens the port.
 * {@link #withAnother} also reserves a second port for each member. The ports lie below the range from which operating
 * systems assign ports.
 *
 * <p>No other object of this class, even in another JVM, reserves the same port before {@link #close}. This object
 * binds the UDP port with the same number until {@link #close}, and reserves only a port whose UDP port is free.
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
     * Returns an object that reserves a second port with each port.
     *
     * @param offset the difference between the second port and the first, such as
     *     {@code ClusterSettings.SUSPICION_OFFSET}
     */
    public static HeldPorts withAnother(int offset) {
        return new HeldPorts(offset);
    }

    /**
     * Reserves this many ports.
     *
     * @throws IllegalStateException if there are too few free ports
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

    /** Releases a port and its second port, so that the member can open them. */
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

    /**
     * Marks a port as taken until {@link #close}, even if no process uses the port. Returns false if the UDP port is
     * already bound.
     */
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
