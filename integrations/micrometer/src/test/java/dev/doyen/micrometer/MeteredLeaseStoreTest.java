package dev.doyen.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Election;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.UnreadableRecordException;
import dev.doyen.testkit.FaultyLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import dev.doyen.testkit.ManualThreads;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MeteredLeaseStoreTest {

    private final ManualThreads threads = new ManualThreads();
    private final SimpleMeterRegistry registry =
            new SimpleMeterRegistry(SimpleConfig.DEFAULT, new ManualClock(threads));
    private final FaultyLeaseStore behind = new FaultyLeaseStore();
    private final LeaseStore store = new MeteredLeaseStore(behind, registry);

    @Test
    void renewals_are_distinguished_from_acquisition_and_release() {
        Election election =
                Election.lease("orders").store(store).threads(threads, () -> 1).open();
        var candidate = election.join("n1");
        threads.settle();
        assertThat(renewals("written")).as("an acquisition is not a renewal").isZero();
        threads.pass(Duration.ofSeconds(20));
        long renewed = renewals("written");
        assertThat(renewed).isBetween(9L, 10L);
        candidate.resign();
        threads.settle();
        assertThat(renewals("written")).as("a release is not a renewal").isEqualTo(renewed);
        assertThat(calls("compare_and_set", "written")).isEqualTo(renewed + 2);
        assertThat(calls("read", "answered")).isPositive();
    }

    @Test
    void a_renewal_whose_outcome_is_unknown_counts_as_an_error() {
        Election election =
                Election.lease("orders").store(store).threads(threads, () -> 1).open();
        election.join("n1");
        threads.settle();
        behind.fault(Fault.AWAY);
        threads.pass(Duration.ofMillis(2100));
        assertThat(renewals("unknown")).isPositive();
        assertThat(errors("compare_and_set", "unknown")).isEqualTo(renewals("unknown"));
        assertThat(errors("compare_and_set", "other")).isZero();
    }

    @Test
    void outcomes_and_exceptions_are_distinguished() {
        LeaseRecord renewal = record("orders", Instant.EPOCH, Instant.EPOCH.plusSeconds(1));
        store.compareAndSet("orders", LeaseVersion.ABSENT, renewal);
        store.compareAndSet("orders", LeaseVersion.ABSENT, renewal);
        behind.fault(Fault.BROKEN);
        assertThatThrownBy(() -> store.compareAndSet("orders", LeaseVersion.ABSENT, renewal))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.read("orders")).isInstanceOf(IllegalStateException.class);
        assertThat(renewals("written")).isEqualTo(1);
        assertThat(renewals("conflict")).isEqualTo(1);
        assertThat(renewals("failed")).isEqualTo(1);
        assertThat(errors("compare_and_set", "other")).isEqualTo(1);
        assertThat(errors("read", "other")).isEqualTo(1);
        assertThat(calls("read", "failed")).isEqualTo(1);
        behind.fault(Fault.UNREADABLE);
        assertThatThrownBy(() -> store.read("orders")).isInstanceOf(UnreadableRecordException.class);
        assertThat(errors("read", "unreadable")).isEqualTo(1);
    }

    @Test
    void the_duration_of_a_call_is_measured_by_the_clock() {
        LeaseStore slow = new MeteredLeaseStore(new Slow(behind, threads), registry);
        slow.read("orders");
        slow.compareAndSet(
                "orders", LeaseVersion.ABSENT, record("orders", Instant.EPOCH, Instant.EPOCH.plusSeconds(1)));
        assertThat(registry.get("doyen.store.duration")
                        .tags("operation", "read", "outcome", "answered")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(300);
        assertThat(registry.get("doyen.renew.duration")
                        .tag("outcome", "written")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(700);
    }

    @Test
    void a_batch_reaches_the_store_as_one_call_and_each_write_is_counted() {
        LeaseStore slow = new MeteredLeaseStore(new Slow(behind, threads), registry);
        Instant later = Instant.EPOCH.plusSeconds(1);
        List<CasOutcome> outcomes = slow.compareAndSetAll(List.of(
                new LeaseStore.Write(LeaseVersion.ABSENT, record("a", Instant.EPOCH, later)),
                new LeaseStore.Write(LeaseVersion.ABSENT, record("b", Instant.EPOCH, Instant.EPOCH)),
                new LeaseStore.Write(LeaseVersion.of(7), record("c", Instant.EPOCH, later))));
        assertThat(outcomes).hasSize(3);
        assertThat(renewals("written")).isEqualTo(1);
        assertThat(renewals("conflict")).isEqualTo(1);
        assertThat(calls("compare_and_set", "written")).isEqualTo(2);
        assertThat(slow.readAll(List.of("a", "b", "c"))).hasSize(3);
        assertThat(calls("read", "answered")).as("the batch is one call").isEqualTo(1);
        behind.fault(Fault.BROKEN);
        assertThatThrownBy(() -> slow.compareAndSetAll(
                        List.of(new LeaseStore.Write(LeaseVersion.ABSENT, record("a", Instant.EPOCH, later)))))
                .isInstanceOf(IllegalStateException.class);
        assertThat(errors("compare_and_set", "other")).isEqualTo(1);
    }

    @Test
    void every_method_of_a_store_is_overridden() {
        for (Method method : LeaseStore.class.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers())) {
                assertThat(MeteredLeaseStore.class.getMethods())
                        .as("the method must be forwarded to the wrapped store: " + method)
                        .anyMatch(own -> own.getName().equals(method.getName())
                                && List.of(own.getParameterTypes()).equals(List.of(method.getParameterTypes()))
                                && !own.getDeclaringClass().equals(LeaseStore.class));
            }
        }
    }

    private long renewals(String outcome) {
        return registry.get("doyen.renew.duration")
                .tag("outcome", outcome)
                .timer()
                .count();
    }

    private long errors(String operation, String kind) {
        return (long) registry.get("doyen.store.errors")
                .tags("operation", operation, "kind", kind)
                .counter()
                .count();
    }

    private long calls(String operation, String outcome) {
        return registry.get("doyen.store.duration")
                .tags("operation", operation, "outcome", outcome)
                .timer()
                .count();
    }

    private static LeaseRecord record(String election, Instant acquired, Instant renewed) {
        return new LeaseRecord(
                election, "n1", "i1", 1, "nonce", Duration.ofSeconds(10), acquired, renewed, SavedState.EMPTY, 0);
    }
}
