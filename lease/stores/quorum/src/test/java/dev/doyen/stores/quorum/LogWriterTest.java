package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import io.microraft.RaftNode;
import io.microraft.report.RaftTerm;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests a leader whose Raft library throws. */
class LogWriterTest {

    private static final QuorumEndpoint SELF = new QuorumEndpoint("a", "a:7800", "1");

    private static final byte[] ENTRY = LeaseBytes.ofWrites(List.of(new LeaseStore.Write(
            LeaseVersion.ABSENT, LeaseRecords.record("e", "n1", 1, SavedState.of(new byte[10_000])))));

    private int replications;

    private final RaftNode node = proxy(RaftNode.class, (proxy, method, arguments) -> {
        if (method.getName().equals("getTerm")) {
            return proxy(RaftTerm.class, (term, each, none) -> SELF);
        }
        replications++;
        throw new OutOfMemoryError("on purpose");
    });

    private final LogWriter.Admission admission = new LogWriter.Admission() {
        @Override
        public boolean isFull() {
            return false;
        }

        @Override
        public Optional<String> objection(List<LeaseStore.Write> writes) {
            return Optional.empty();
        }
    };

    private final LogWriter log = new LogWriter(
            node,
            admission,
            new LogLeader(SELF, node, new ManualTime()),
            new Requests(proxy(Wire.class, (proxy, method, arguments) -> {
                throw new AssertionError("the leader sends no request");
            })),
            new CompletableFuture<>());

    @Test
    void entries_that_could_not_be_appended_do_not_count_as_uncommitted() {
        int entries = Math.toIntExact(2 * LogWriter.MAX_UNCOMMITTED / ENTRY.length);
        for (int i = 0; i < entries; i++) {
            assertThat(log.append(ENTRY).join().answer()).isEqualTo(Frames.Answer.UNKNOWN);
        }
        assertThat(replications).isEqualTo(entries);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
