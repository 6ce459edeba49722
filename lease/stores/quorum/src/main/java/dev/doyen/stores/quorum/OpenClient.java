package dev.doyen.stores.quorum;

import java.security.SecureRandom;
import java.util.Random;
import java.util.concurrent.ExecutorService;

/**
 * The resources of an open client, which are closed together.
 *
 * <p>Threads: one thread opens and closes the client.
 */
final class OpenClient implements AutoCloseable {

    private final RaftThread thread = new RaftThread("doyen-quorum-client");
    private final ExecutorService announcer = OpenMember.announcer();
    private final QuorumClient client;

    private OpenClient(QuorumClientSettings settings, WireSystem system) {
        client = new QuorumClient(
                settings.members(),
                settings.timeout(),
                thread,
                TcpWire.connectingOnly(settings.secret().map(OpenMember::key), system),
                announcer,
                new Random(new SecureRandom().nextLong()));
        client.start();
    }

    static OpenClient open(QuorumClientSettings settings, WireSystem system) {
        return new OpenClient(settings, system);
    }

    QuorumClient client() {
        return client;
    }

    @Override
    public void close() {
        client.close();
        announcer.shutdown();
        thread.close();
    }
}
