package dev.doyen.benchmarks.server;

import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Three members of a quorum. Each member is a separate JVM without candidates. The systems under test are clients of
 * these members.
 */
final class QuorumServer implements Server {

    private static final long UP_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final EmbeddedQuorum quorum;
    private final List<Process> members = new ArrayList<>();

    QuorumServer(Path data) throws IOException {
        Path folder = data.resolve("members");
        quorum = new EmbeddedQuorum(folder);
        for (int i = 0; i < CANDIDATES; i++) {
            members.add(JavaProgram.of(QuorumMemberProgram.class, JavaProgram.SMALL, List.of(quorum.url(i)))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve(i + ".log").toFile())
                    .start());
        }
        awaitWrite();
    }

    @Override
    public String url() {
        return quorum.url();
    }

    @Override
    public String version() {
        return quorum.version();
    }

    @Override
    public long requests() {
        return quorum.requests();
    }

    @Override
    public List<ProcessHandle> processes() {
        return members.stream().map(Process::toHandle).toList();
    }

    @Override
    public void close() {
        quorum.close();
        members.forEach(each -> each.destroyForcibly().onExit().join());
    }

    /** Waits until a write succeeds. The members form the quorum after all of them have started. */
    private void awaitWrite() throws IOException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < UP_WITHIN_NANOS) {
            try {
                long unused = requests();
                return;
            } catch (StoreUnavailableException e) {
                // The quorum does not accept writes yet.
            }
        }
        close();
        throw new IOException("the members did not confirm a write within a minute");
    }
}
