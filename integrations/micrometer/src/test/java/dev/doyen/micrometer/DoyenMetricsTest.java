package dev.doyen.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.election.Leadership;
import dev.doyen.election.Observer;
import dev.doyen.testkit.FaultyLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import dev.doyen.testkit.ManualThreads;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DoyenMetricsTest {

    private final ManualThreads threads = new ManualThreads();
    private final SimpleMeterRegistry registry =
            new SimpleMeterRegistry(SimpleConfig.DEFAULT, new ManualClock(threads));
    private final FaultyLeaseStore store = new FaultyLeaseStore();
    private final AtomicLong seeds = new AtomicLong();
    private final Election election = Election.lease("orders")
            .store(store)
            .threads(threads, seeds::incrementAndGet)
            .open();

    @Test
    void the_metrics_of_a_leader_have_its_term_and_remaining_time() {
        bind(join("n1"));
        assertThat(gauge("doyen.is.leader")).isEqualTo(1);
        assertThat(gauge("doyen.term")).isEqualTo(1);
        assertThat(gauge("doyen.lease.remaining")).isEqualTo(8);
        threads.pass(Duration.ofMillis(1500));
        assertThat(gauge("doyen.lease.remaining")).isEqualTo(6.5);
    }

    @Test
    void a_process_after_a_suspension_is_not_reported_as_leader() { // L5
        bind(join("n1"));
        threads.jumpWallClock(Duration.ofSeconds(30));
        assertThat(gauge("doyen.is.leader"))
                .as("the value is 0 before the process has run again")
                .isZero();
        assertThat(gauge("doyen.lease.remaining")).isZero();
    }

    @Test
    void each_change_is_counted_once_by_reason() {
        LeaseCandidate candidate = join("n1");
        bind(candidate);
        assertThat(transitions("elected")).isEqualTo(1);
        candidate.resign();
        threads.pass(Duration.ofSeconds(11));
        store.fault(Fault.AWAY);
        threads.pass(Duration.ofSeconds(9));
        assertThat(transitions("elected")).isEqualTo(2);
        assertThat(transitions("resigned")).isEqualTo(1);
        assertThat(transitions("expired")).isEqualTo(1);
        assertThat(transitions("superseded"))
                .as("each reason exists from the start")
                .isZero();
        assertThat(transitions("observed"))
                .as("a candidate does not count observed terms")
                .isZero();
    }

    @Test
    void a_missed_renewal_counts_as_jeopardy_once() {
        bind(join("n1"));
        store.fault(Fault.AWAY);
        threads.pass(Duration.ofSeconds(5));
        store.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(20));
        assertThat(registry.get("doyen.jeopardy")
                        .tag("election", "orders")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void the_time_without_a_leader_is_summed() {
        LeaseCandidate candidate = join("n1");
        bind(candidate);
        threads.pass(Duration.ofSeconds(60));
        assertThat(leaderless()).isZero();
        candidate.resign();
        threads.pass(Duration.ofSeconds(4));
        assertThat(leaderless()).as("the current time without a leader counts").isCloseTo(4, within(0.01));
        threads.pass(Duration.ofSeconds(30));
        double afterwards = leaderless();
        assertThat(afterwards).as("the cooldown of 10 s counts").isBetween(10.0, 15.1);
        threads.pass(Duration.ofSeconds(60));
        assertThat(leaderless()).isEqualTo(afterwards);
    }

    @Test
    void an_observer_never_leads_and_counts_observed_terms() {
        LeaseCandidate first = join("n1");
        LeaseCandidate second = join("n2");
        Observer observer = election.observe();
        threads.settle();
        bind(observer);
        first.resign();
        threads.pass(Duration.ofSeconds(1));
        assertThat(second.isLeader()).isTrue();
        assertThat(transitions("observed")).isEqualTo(2);
        assertThat(gauge("doyen.term")).isEqualTo(2);
        assertThat(registry.find("doyen.is.leader").meters()).isEmpty();
        assertThat(registry.find("doyen.tasks.overrun").meters()).isEmpty();
    }

    @Test
    void the_term_does_not_decrease_without_a_leader() {
        LeaseCandidate candidate = join("n1");
        bind(candidate);
        candidate.resign();
        threads.settle();
        assertThat(candidate.leader()).isEmpty();
        assertThat(gauge("doyen.term")).isEqualTo(1);
    }

    @Test
    void a_task_that_outlives_its_term_is_counted_until_it_ends() throws Exception {
        DoyenMetrics metrics = bind(join("n1"));
        var held = new AtomicBoolean(true);
        var ran = new AtomicBoolean();
        metrics.<Leadership, RuntimeException>watched(leadership -> {
                    assertThat(gauge("doyen.tasks.overrun")).isZero();
                    held.set(false);
                    assertThat(gauge("doyen.tasks.overrun")).isEqualTo(1);
                    ran.set(true);
                })
                .run(new HeldWhile(held));
        assertThat(ran).isTrue();
        assertThat(gauge("doyen.tasks.overrun")).isZero();
    }

    @Test
    void the_name_of_the_leader_is_one_series_that_is_replaced() {
        LeaseCandidate first = join("n1");
        join("n2");
        bind(first).withLeaderNames();
        assertThat(leaderNames()).containsExactly("n1");
        first.resign();
        threads.pass(Duration.ofSeconds(1));
        assertThat(leaderNames()).containsExactly("n2");
    }

    @Test
    void after_twenty_names_further_leaders_are_called_other() {
        LeaseCandidate candidate = join("n0");
        try (Observer observer = election.observe()) {
            threads.settle();
            DoyenMetrics metrics = DoyenMetrics.bind(registry, observer).withLeaderNames();
            for (int i = 1; i <= 21; i++) {
                LeaseCandidate next = join("n" + i);
                candidate.resign();
                threads.settle();
                candidate.close();
                candidate = next;
                assertThat(leaderNames()).containsExactly(i < LeaderNames.MOST ? "n" + i : "other");
            }
            metrics.close();
            assertThat(leaderNames()).isEmpty();
            observer.close();
        }
    }

    @Test
    void by_default_no_leader_name_is_published() {
        bind(join("n1"));
        assertThat(registry.getMeters())
                .allSatisfy(
                        meter -> assertThat(meter.getId().getTags().toString()).doesNotContain("n1"));
    }

    @Test
    void two_members_of_one_election_need_different_tags() {
        LeaseCandidate first = join("n1");
        LeaseCandidate second = join("n2");
        bind(first);
        assertThatThrownBy(() -> DoyenMetrics.bind(registry, second))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a member of election \"orders\" is bound to this registry already; "
                        + "close that binding, or bind with a tag that distinguishes the two");
        DoyenMetrics.bind(registry, second, Tags.of("slot", "2"));
        threads.settle();
        assertThat(registry.get("doyen.is.leader").tag("slot", "2").gauge().value())
                .isZero();
        assertThat(registry.find("doyen.is.leader").gauges()).hasSize(2);
    }

    @Test
    void closing_removes_every_meter_and_allows_another_binding() {
        LeaseCandidate candidate = join("n1");
        DoyenMetrics metrics = bind(candidate).withLeaderNames();
        assertThat(registry.getMeters()).isNotEmpty();
        metrics.close();
        metrics.close();
        threads.settle();
        assertThat(registry.getMeters()).isEmpty();
        bind(candidate);
        metrics.close();
        assertThat(gauge("doyen.is.leader"))
                .as("a second close does not close another binding")
                .isEqualTo(1);
    }

    private DoyenMetrics bind(Observer member) {
        DoyenMetrics metrics = DoyenMetrics.bind(registry, member);
        threads.settle();
        return metrics;
    }

    private LeaseCandidate join(String id) {
        LeaseCandidate candidate = election.join(id);
        threads.settle();
        return candidate;
    }

    private double gauge(String name) {
        return registry.get(name).tag("election", "orders").gauge().value();
    }

    private double transitions(String reason) {
        return registry.get("doyen.transitions").tag("reason", reason).counter().count();
    }

    private double leaderless() {
        return registry.get("doyen.leaderless").functionCounter().count();
    }

    private List<String> leaderNames() {
        return registry.find("doyen.election.leader").meters().stream()
                .map(Meter::getId)
                .map(id -> String.valueOf(id.getTag("leader")))
                .toList();
    }

    /** A leadership that is certain until the test ends it. */
    private record HeldWhile(AtomicBoolean held) implements Leadership {
        @Override
        public boolean isCertain() {
            return held.get();
        }

        @Override
        public Duration remaining() {
            return Duration.ZERO;
        }

        @Override
        public void check() {
            throw new UnsupportedOperationException("no task of this test calls this method");
        }
    }
}
