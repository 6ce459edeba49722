package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests a rival while code in another thread writes the record between a read and a write of the rival. */
class FakeRivalTest {

    private static final Duration TTL = Duration.ofSeconds(10);

    private final VirtualTime time = new VirtualTime();
    private final BusyStore store = new BusyStore();
    private final FakeRival rival = new FakeRival(time, store, "orders", TTL);

    @Test
    void the_rival_takes_the_lease_although_its_holder_writes_at_the_same_time() {
        rival.take("n1");
        store.writeAfterNextRead(held -> held.noting(held.notes(), "renewed"));
        rival.take("n2");
        assertThat(record().holder()).isEqualTo("n2");
        assertThat(record().term()).isEqualTo(2);
    }

    @Test
    void the_rival_renews_its_lease_although_another_participant_writes_notes() {
        rival.take("n1");
        store.writeAfterNextRead(held -> held.noting(held.notes(), "noted"));
        time.pass(TTL.dividedBy(5));
        assertThat(record().nonce()).startsWith("far-away-");
        String nonce = record().nonce();
        time.pass(TTL.dividedBy(5));
        assertThat(record().nonce()).isNotEqualTo(nonce);
    }

    @Test
    void the_rival_releases_its_lease_although_another_participant_writes_notes() {
        rival.take("n1");
        store.writeAfterNextRead(held -> held.noting(held.notes(), "noted"));
        rival.release();
        assertThat(record().isHeld()).isFalse();
    }

    private LeaseRecord record() {
        return store.read("orders").record().orElseThrow();
    }

    /** A store in memory. After a read, the store can replace the record, like a process that writes at that time. */
    private static final class BusyStore extends ForwardingLeaseStore {
        private UnaryOperator<LeaseRecord> writer = UnaryOperator.identity();
        private boolean writes;

        BusyStore() {
            super(new MemoryLeaseStore());
        }

        void writeAfterNextRead(UnaryOperator<LeaseRecord> change) {
            writer = change;
            writes = true;
        }

        @Override
        public VersionedLease read(String election) {
            VersionedLease found = behind().read(election);
            if (writes) {
                writes = false;
                behind().compareAndSet(
                                election,
                                found.version(),
                                writer.apply(found.record().orElseThrow()));
            }
            return found;
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            return behind().compareAndSet(election, expected, next);
        }
    }
}
