package dev.doyen.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.stores.local.MemoryLeaseStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests a closed election whose {@link DoyenMetrics} was not closed. The test uses real threads. */
class ForgottenElectionTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ReferenceQueue<LeaseCandidate> collected = new ReferenceQueue<>();
    private final List<DoyenMetrics> bindings = new ArrayList<>();

    @Test
    void neither_the_registry_nor_the_binding_keeps_a_closed_election_alive() throws Exception {
        WeakReference<LeaseCandidate> candidate = boundAndClosed();
        for (int i = 0; i < 100 && collected.remove(100) == null; i++) {
            System.gc();
        }
        assertThat(candidate.get())
                .as("the garbage collector has removed the candidate")
                .isNull();
        assertThat(registry.get("doyen.is.leader").gauge().value())
                .as("the gauge has no value")
                .isNaN();
        try (Election election =
                Election.lease("orders").store(new MemoryLeaseStore()).open()) {
            bindings.add(DoyenMetrics.bind(registry, election.join("n2")));
            assertThat(registry.get("doyen.is.leader").gauge().value())
                    .as("another election can be bound")
                    .isNotNaN();
        }
    }

    private WeakReference<LeaseCandidate> boundAndClosed() {
        try (Election election =
                Election.lease("orders").store(new MemoryLeaseStore()).open()) {
            LeaseCandidate candidate = election.join("n1");
            bindings.add(DoyenMetrics.bind(registry, candidate));
            return new WeakReference<>(candidate, collected);
        }
    }
}
