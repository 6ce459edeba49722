package dev.doyen.stores.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the watchers of the store {@code memory:}, which run on the thread that writes. */
class MemoryLeaseStoreWatchTest {

    private final String url = "memory:" + UUID.randomUUID();
    private final LeaseStore store = LeaseStore.open(url);
    private final List<String> called = new ArrayList<>();

    @Test
    void a_watcher_that_throws_fails_neither_the_write_nor_the_other_watchers() { // L8
        store.watch("e", () -> {
            throw new OutOfMemoryError("on purpose");
        });
        store.watch("e", () -> called.add("second"));

        assertThat(write()).isInstanceOf(CasOutcome.Written.class);
        assertThat(called).containsExactly("second");
    }

    @Test
    void a_watcher_that_another_one_closes_during_the_call_is_not_called() {
        List<LeaseStore.Watch> later = new ArrayList<>();
        store.watch("e", () -> later.forEach(LeaseStore.Watch::close));
        later.add(store.watch("e", () -> called.add("closed")).orElseThrow());
        store.watch("e", () -> called.add("open"));
        write();

        assertThat(called).containsExactly("open");
    }

    @Test
    void a_closed_store_calls_none_of_its_watchers_and_the_other_openings_call_theirs() {
        LeaseStore closed = LeaseStore.open(url);
        closed.watch("e", () -> called.add("closed"));
        store.watch("e", () -> called.add("open"));
        closed.close();
        write();

        assertThat(called).containsExactly("open");
    }

    private CasOutcome write() {
        LeaseRecord record = LeaseRecord.unheld("e", 1, "nonce", Duration.ofSeconds(1), Instant.EPOCH);
        return store.compareAndSet("e", LeaseVersion.ABSENT, record);
    }
}
