package dev.doyen.benchmarks.hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Starts Centrifugo 6, with presence, and without the check of tokens. */
final class CentrifugoPeer implements Peer {

    private final Path program;

    /**
     * Creates the peer.
     *
     * @param program the executable file of Centrifugo
     */
    CentrifugoPeer(Path program) {
        this.program = program;
    }

    @Override
    public String label() {
        return "Centrifugo";
    }

    @Override
    public Dialect dialect() {
        return new CentrifugoDialect();
    }

    /** Centrifugo has no elections. */
    @Override
    public Set<String> parts() {
        return Set.of("idle", "fan-out", "rate");
    }

    @Override
    public ServerProcess start(int port, Path folder) throws IOException, InterruptedException {
        Path configuration = Files.writeString(folder.resolve("centrifugo.json"), """
                {"http_server": {"address": "127.0.0.1", "port": "%d"},
                 "client": {"insecure": true, "allowed_origins": ["*"]},
                 "channel": {"without_namespace": {"presence": true}}}
                """.formatted(port));
        return ServerProcess.start(
                List.of(program.toString(), "--config=" + configuration, "--log.level=error"), folder, port);
    }
}
