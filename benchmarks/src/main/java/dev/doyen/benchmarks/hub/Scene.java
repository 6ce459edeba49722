package dev.doyen.benchmarks.hub;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the parts of one run have in common.
 *
 * @param rounds how often each thing is measured, where it is measured more than once
 */
record Scene(int rounds) {

    /** Starts a peer afresh: what one part leaves behind is not in the next one's figures. */
    ServerProcess start(Peer peer) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("bench-hub");
        return peer.start(freePort(), folder);
    }

    static void say(String what) {
        System.err.println("bench: " + what);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
