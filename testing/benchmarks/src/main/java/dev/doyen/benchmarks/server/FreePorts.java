package dev.doyen.benchmarks.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Finds ports on which no process listens. */
public final class FreePorts {

    private FreePorts() {}

    /**
     * Returns this number of distinct ports. The ports are distinct, because all sockets stay open until the last port
     * is found.
     */
    public static List<Integer> find(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket each : held) {
                each.close();
            }
        }
    }
}
