package dev.doyen.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of loopback for members that must be named before they are opened. Each is held, with the one that its member opens
 * besides, until just before it is used. They lie below those that systems give to who asks for any, so nobody gets one by
 * chance in the moment between.
 *
 * <p>Threads: one.
 */
public final class HeldPorts implements AutoCloseable {

    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int MAX_TRIES = 1_000;

    /** Ports that a test of this JVM has taken. No other gets them, not even in the moment before their member opens them. */
    private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

    private final int offset;
    private final Map<Integer, List<ServerSocket>> held = new LinkedHashMap<>();

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
            if (TAKEN.add(port) && TAKEN.add(port + offset) && hold(port)) {
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
