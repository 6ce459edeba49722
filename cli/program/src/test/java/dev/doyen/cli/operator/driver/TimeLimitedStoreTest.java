package dev.doyen.cli.operator.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class TimeLimitedStoreTest {

    private final CountDownLatch hanging = new CountDownLatch(1);

    @AfterEach
    void releaseCalls() {
        hanging.countDown();
    }

    @Test
    void a_call_to_a_hanging_store_times_out_with_a_sentence() {
        var store = TimeLimitedStore.over(new Hanging(), Duration.ofMillis(50));
        var record = new LeaseRecord(
                "e", "", "", 1, "nonce", Duration.ofSeconds(1), Instant.EPOCH, Instant.EPOCH, SavedState.EMPTY, 0);

        assertThatThrownBy(() -> store.read("e"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("the store gave no answer within 50 ms");
        assertThat(store.compareAndSet("e", LeaseVersion.ABSENT, record))
                .isEqualTo(new CasOutcome.Unknown("the store gave no answer within 50 ms"));
    }

    @Test
    void hanging_calls_use_a_limited_number_of_threads() {
        var store = TimeLimitedStore.over(new Hanging(), Duration.ofMillis(1));
        for (int call = 0; call < 16; call++) {
            assertThatThrownBy(() -> store.read("e")).hasMessageContaining("no answer");
        }

        assertThatThrownBy(() -> store.read("e"))
                .hasMessage("16 calls to the store do not return, so no further calls are made");
    }

    @Test
    void an_exception_of_the_store_is_passed_on_unchanged() {
        assertThatThrownBy(() -> TimeLimitedStore.open("nosuch:x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nosuch:");
    }

    private final class Hanging implements LeaseStore {
        @Override
        public VersionedLease read(String election) {
            hang();
            return VersionedLease.ABSENT;
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            hang();
            return new CasOutcome.Unknown("let go");
        }

        @Override
        public LeaseStore.Promises promises() {
            return new LeaseStore.Promises(false, false, "this test");
        }

        @Override
        public void close() {}

        private void hang() {
            try {
                hanging.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
