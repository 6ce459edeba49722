package dev.doyen.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ForwardingLeaseStoreTest {

    @Test
    void all_other_calls_are_forwarded() {
        var behind = new Behind();
        var front = new Front(behind);

        assertThat(front.watch("orders", () -> {})).containsSame(behind.watch);
        assertThat(front.nonExpiringOnly("orders")).contains(new LeaseStore.NonExpiringLeases(behind, "orders"));
        assertThat(front.promises()).isSameAs(behind.promises);
        assertThat(front.missingRights()).isSameAs(behind.rights);
        assertThat(front.prune(Instant.EPOCH, Instant.MIN)).isEqualTo(7);
        front.close();
        assertThat(behind.closed).hasValue(1);
    }

    private static final class Behind implements LeaseStore {

        private final Watch watch = () -> {};
        private final LeaseStore.Promises promises = new LeaseStore.Promises(true, true, "one test");
        private final List<String> rights = List.of("a right");
        private final AtomicInteger closed = new AtomicInteger();

        @Override
        public VersionedLease read(String election) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Watch> watch(String election, Runnable changed) {
            return Optional.of(watch);
        }

        @Override
        public Optional<LeaseStore.NonExpiringLeases> nonExpiringOnly(String election) {
            return Optional.of(new LeaseStore.NonExpiringLeases(this, election));
        }

        @Override
        public List<String> missingRights() {
            return rights;
        }

        @Override
        public int prune(Instant before, Instant savedBefore) {
            return before.equals(Instant.EPOCH) && savedBefore.equals(Instant.MIN) ? 7 : 0;
        }

        @Override
        public LeaseStore.Promises promises() {
            return promises;
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    private static final class Front extends ForwardingLeaseStore {

        Front(LeaseStore behind) {
            super(behind);
        }

        @Override
        public VersionedLease read(String election) {
            return behind().read(election);
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            return behind().compareAndSet(election, expected, next);
        }
    }
}
