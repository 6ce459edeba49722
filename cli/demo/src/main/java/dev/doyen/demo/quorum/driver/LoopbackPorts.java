package dev.doyen.demo.quorum.driver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports on the loopback address.
 *
 * <p>The ports are below the system's ephemeral ports. Therefore the system does not assign a member's port to
 * another process while the member is down.
 */
final class LoopbackPorts {

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int MAX_ATTEMPTS = 1_000;

    private LoopbackPorts() {}

    /**
     * Returns {@code count} addresses of the form {@code 127.0.0.1:PORT}.
     *
     * @param taken the addresses to exclude
     */
    static List<String> find(int count, Collection<String> taken) throws IOException {
        var found = new ArrayList<String>();
        for (int i = 0; i < MAX_ATTEMPTS && found.size() < count; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            String address = "127.0.0.1:" + port;
            if (!taken.contains(address) && !found.contains(address) && isFree(port)) {
                found.add(address);
            }
        }
        if (found.size() < count) {
            throw new IOException("no free port of 127.0.0.1 was found from " + LOWEST + " to " + HIGHEST);
        }
        return found;
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getByAddress(LOOPBACK))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
