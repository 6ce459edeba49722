package dev.doyen.benchmarks.hub;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Starts Socket.IO on Node, with a script of this benchmark that implements presence and leadership. */
final class SocketIoPeer implements Peer {

    private final Path script;

    SocketIoPeer(Path script) {
        this.script = script;
    }

    @Override
    public String label() {
        return "Socket.IO";
    }

    @Override
    public Set<String> parts() {
        return Set.of("idle", "join", "fan-out", "rate", "takeover");
    }

    @Override
    public Dialect dialect() {
        return new SocketIoDialect();
    }

    @Override
    public ServerProcess start(int port, Path folder) throws IOException, InterruptedException {
        return ServerProcess.start(List.of("node", script.toString(), Integer.toString(port)), folder, port);
    }
}
