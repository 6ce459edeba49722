package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.lease.RequestKind;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseVersion;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class DirectStoreExecutorTest {

    private final AtomicBoolean busy = new AtomicBoolean();
    private final DirectStoreExecutor storeExecutor =
            new DirectStoreExecutor(new OneThread(busy), new MemoryLeaseStore());
    private final Answers answers = new Answers();

    @Test
    void each_request_is_answered() {
        storeExecutor.write(
                RequestKind.RELEASE, LeaseVersion.ABSENT, Answers.record("orders"), answers.writer("orders"));
        storeExecutor.read("orders", answers.reader("orders"));

        assertThat(answers.all())
                .containsExactly("orders " + new CasOutcome.Written(LeaseVersion.of(1)), "orders found 1");
    }

    @Test
    void a_read_fails_if_no_thread_is_left_for_it() {
        busy.set(true);
        storeExecutor.read("orders", answers.reader("orders"));

        assertThat(answers.all()).containsExactly("orders failed: " + StoreExecutor.BUSY.reason());
    }

    @Test
    void a_write_is_unknown_if_no_thread_is_left_for_it() {
        busy.set(true);
        storeExecutor.write(
                RequestKind.RELEASE, LeaseVersion.ABSENT, Answers.record("orders"), answers.writer("orders"));

        assertThat(answers.all()).containsExactly("orders " + StoreExecutor.BUSY.ofWrite());
    }
}
