package dev.doyen.chaos.random;

import dev.doyen.chaos.StoreServer;
import java.util.List;

/** A target with three processes, which use the same server of a store. */
final class ServerTarget implements ChaosTarget {

    private static final int PLACES = 3;

    private final StoreServer server;

    ServerTarget(StoreServer server) {
        this.server = server;
    }

    @Override
    public int places() {
        return PLACES;
    }

    @Override
    public String url(int place) {
        return server.url("127.0.0.1", server.port());
    }

    @Override
    public List<String> prefix(int place) {
        return List.of();
    }

    @Override
    public Ending begin(FaultKind kind, ChaosProcess victim, ChaosProcesses processes) throws Exception {
        if (kind == FaultKind.SERVER_KILL) {
            server.kill();
            return server::startAgain;
        }
        if (kind == FaultKind.SERVER_FREEZE) {
            server.freeze();
            return server::thaw;
        }
        throw new IllegalArgumentException(kind + " is not a fault of a server");
    }

    @Override
    public void close() throws Exception {
        server.close();
    }
}
