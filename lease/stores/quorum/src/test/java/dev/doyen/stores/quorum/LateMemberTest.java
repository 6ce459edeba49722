package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LateMemberTest {

    private static final Duration TIMEOUT = MembersInMemory.TIMEOUT;

    /** The number of large entries, which together are longer than the longest permitted frame. */
    private static final int LARGE_ENTRIES = 30;

    @Test
    void a_returning_member_receives_many_large_entries() throws Exception {
        try (var members = new MembersInMemory()) {
            for (int i = 0; i < 3; i++) {
                members.store(i);
            }
            QuorumEndpoint leader =
                    members.process(0).running().join().leader().current().orElseThrow();
            int late = IntStream.range(0, 3)
                    .filter(each -> !members.endpoints().get(each).equals(leader))
                    .findFirst()
                    .orElseThrow();
            int other = (late + 1) % 3;
            for (QuorumEndpoint each : members.endpoints()) {
                members.network()
                        .cut(each.address(), members.endpoints().get(late).address());
                members.network().cut(members.endpoints().get(late).address(), each.address());
            }

            List<LeaseStore.Write> large = new ArrayList<>();
            for (int i = 0; i < 11; i++) {
                large.add(write("election " + i, SavedState.of(new byte[SavedState.MAX_BYTES])));
            }
            for (int i = 0; i < LARGE_ENTRIES; i++) {
                members.process(other)
                        .write(large, TIMEOUT)
                        // A write possibly gets no answer if the leader of the log changes.
                        .handle((outcomes, failure) -> outcomes)
                        .join();
            }
            QuorumProcess process = members.process(late);
            var arrived = new CompletableFuture<Void>();
            process.watch("last", () -> {
                if (isThere(process)) {
                    arrived.complete(null);
                }
            });
            members.network().heal();
            members.process(other).write(List.of(write("last", SavedState.EMPTY)), TIMEOUT);

            assertThat(arrived).succeedsWithin(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static boolean isThere(QuorumProcess process) {
        try {
            return process.read("last", TIMEOUT).record().isPresent();
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    private static LeaseStore.Write write(String election, SavedState state) {
        return new LeaseStore.Write(LeaseVersion.ABSENT, LeaseRecords.record(election, "holder", 1, state));
    }
}
