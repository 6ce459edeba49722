package dev.doyen.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.election.ElectionListener;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.NotLeaderException;
import dev.doyen.election.Observer;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.membership.Membership;
import dev.doyen.testkit.ManualThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests how the work of a candidate on a ring ends, and when the candidate's methods return.
 *
 * <p>In most tests, the candidate is the only member of the ring.
 */
class RingWorkTest {

    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(1);

    private final ManualThreads threads = new ManualThreads();
    private final Membership membership = new FakeCluster(threads).join("a");
    private final AtomicInteger checks = new AtomicInteger();
    private final RingElection election = RingElection.named("orders")
            .membership(membership)
            .electionTimeout(ELECTION_TIMEOUT)
            .threads(threads)
            .health(HealthCheck.of(() -> checks.incrementAndGet() > 0))
            .open();
    private final RingCandidate candidate = election.join("a");
    private final List<Long> terms = new ArrayList<>();
    private int closed;

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void close_returns_after_the_end_of_the_leadership() {
        leads();
        candidate.close();
        assertThat(candidate.isLeader()).isFalse();
    }

    @Test
    void close_by_an_interrupted_thread_does_not_wait_and_the_interrupt_stays() {
        leads();
        Thread.currentThread().interrupt();
        candidate.close();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_callback_that_closes_its_candidate_does_not_wait_for_itself() {
        leads();
        candidate.listen(new ElectionListener<RingLeadership>() {
            @Override
            public void elected(RingLeadership leadership) {
                closeWithoutWaiting();
            }
        });
        threads.settle();
        assertThat(closed).isOne();
    }

    @Test
    void a_task_that_closes_its_candidate_does_not_wait_for_itself() throws Exception {
        leads();
        assertThat(candidate.whileLeading(leadership -> {
                    closeWithoutWaiting();
                    leadership.check();
                }))
                .isTrue();
        assertThat(closed).isOne();
        threads.settle();
        assertThat(candidate.isLeader()).isFalse();
    }

    @Test
    void a_closed_candidate_runs_no_task() throws Exception {
        candidate.close();
        assertThat(candidate.whileLeading(leadership -> terms.add(leadership.counter())))
                .isFalse();
        assertThat(terms).isEmpty();
    }

    @Test
    void a_closed_candidate_does_not_lead_even_if_it_is_resumed() {
        leads();
        candidate.close();
        candidate.resume();
        threads.pass(Duration.ofMinutes(1));
        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.explain().reason()).isEqualTo(Reason.OBSERVING);
    }

    @Test
    void a_closed_candidate_does_not_end_the_next_one_of_its_process() {
        leads();
        candidate.close();
        RingCandidate next = election.join("a");
        threads.pass(Duration.ofSeconds(10));
        assertThat(next.isLeader()).isTrue();
        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.leadership()).isEmpty();
        candidate.close();
        assertThat(candidate.resign()).isNotDone();
        candidate.transferTo("a");
        threads.pass(Duration.ofSeconds(10));
        assertThat(next.leadership().map(RingLeadership::counter)).contains(2L);
    }

    @Test
    void the_health_of_a_closed_candidate_is_not_checked() {
        leads();
        candidate.close();
        threads.settle();
        int before = checks.get();
        threads.pass(Duration.ofMinutes(1));
        assertThat(checks).hasValue(before);
    }

    @Test
    void a_request_is_done_when_the_work_has_stopped() throws Exception {
        leads();
        candidate.whileLeading(leadership -> {
            CompletableFuture<Void> resigned = candidate.resign(Duration.ZERO);
            threads.settle();
            assertThat(candidate.isLeader()).isFalse();
            assertThat(resigned).isNotDone();
            resigned.thenRun(() -> terms.add(leadership.counter()));
            candidate.close();
        });
        threads.settle();
        assertThat(terms).containsExactly(1L);
    }

    @Test
    void a_request_is_done_when_the_membership_ends() throws Exception {
        leads();
        candidate.whileLeading(leadership -> {
            CompletableFuture<Void> resigned = candidate.resign();
            candidate.close();
            threads.settle();
            assertThat(resigned).isNotDone();
            membership.close();
            threads.settle();
            assertThat(resigned).isDone();
            terms.add(leadership.counter());
        });
        assertThat(terms).containsExactly(1L);
    }

    @Test
    void a_request_is_done_at_once_if_the_threads_are_closed() {
        leads();
        assertThat(candidate.resign()).isNotDone();
        threads.settle();
        threads.close();
        assertThat(candidate.resign()).isDone();
    }

    @Test
    void a_pause_is_done_when_the_leadership_has_ended() {
        leads();
        CompletableFuture<Void> paused = candidate.pause();
        assertThat(paused).isNotDone();
        threads.settle();
        assertThat(paused).isDone();
        assertThat(candidate.isLeader()).isFalse();
    }

    @Test
    void a_cooldown_out_of_its_bounds_is_rejected() {
        assertThatThrownBy(() -> candidate.resign(Duration.ofHours(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cooldown is 7200000 ms");
    }

    @Test
    void a_task_that_throws_ends_the_leadership() {
        leads();
        assertThatThrownBy(() -> candidate.whileLeading(leadership -> {
                    throw new IOException("disk full");
                }))
                .isInstanceOf(IOException.class);
        assertThat(candidate.isLeader())
                .as("the candidate no longer leads when the call returns")
                .isFalse();
        threads.pass(Duration.ofMinutes(1));
        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.explain().reason()).isEqualTo(Reason.WITHOUT_TASK);
    }

    @Test
    void the_next_task_makes_the_candidate_campaign_again() throws Exception {
        leads();
        for (int i = 0; i < 2; i++) {
            assertThat(candidate.whileLeading(leadership -> terms.add(leadership.counter())))
                    .isTrue();
        }
        assertThat(terms).containsExactly(1L, 2L);
    }

    @Test
    void an_interrupt_that_the_task_leaves_reaches_the_caller() throws Exception {
        leads();
        assertThat(candidate.whileLeading(leadership -> Thread.currentThread().interrupt()))
                .isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_leadership_ends_with_its_term() {
        leads();
        RingLeadership first = candidate.leadership().orElseThrow();
        assertThat(first).hasToString("term 1 of election \"orders\"");
        assertThat(first.isCertain()).isTrue();
        assertThat(first.remaining()).isPositive();
        first.check();
        assertThat(first.state().isEmpty()).isTrue();
        candidate.resign(Duration.ZERO);
        threads.pass(Duration.ofSeconds(10));
        assertThat(candidate.isLeader()).isTrue();
        assertThat(first.isCertain()).isFalse();
        assertThat(first.remaining()).isZero();
        assertThatThrownBy(first::check)
                .hasMessageContaining("term 1 of election \"orders\"")
                .isInstanceOfSatisfying(
                        NotLeaderException.class,
                        thrown -> assertThat(thrown.term()).isEqualTo(1));
    }

    @Test
    void a_registration_that_was_closed_receives_no_events() {
        var received = new ArrayList<Optional<Leader>>();
        Observer.Registration registration = candidate.listen(listener(received));
        threads.settle();
        assertThat(received).hasSize(1);
        registration.close();
        leads();
        assertThat(received).hasSize(1);
    }

    @Test
    void the_status_contains_the_view_and_counts_the_messages() {
        var cluster = new FakeCluster(threads);
        List<RingElection> both = new ArrayList<>();
        List<RingCandidate> candidates = new ArrayList<>();
        for (String id : List.of("a", "b")) {
            RingElection each = RingElection.named("counted")
                    .membership(cluster.join(id))
                    .threads(threads)
                    .open();
            both.add(each);
            candidates.add(each.join(id));
        }
        threads.pass(Duration.ofSeconds(10));
        assertThat(candidates).filteredOn(RingCandidate::isLeader).hasSize(1);
        for (RingElection each : both) {
            RingStatus status = each.status();
            assertThat(status.view().orElseThrow().members()).hasSize(2);
            assertThat(status.sent().get("heartbeat")).isPositive();
            assertThat(status.lastHeartbeat()).isPresent();
            assertThat(status.dropped()).containsKey("not_from_predecessor");
        }
    }

    @Test
    void a_name_must_fit_into_its_topic() {
        String longest = "n".repeat(250);
        RingElection.named(longest)
                .membership(membership)
                .threads(threads)
                .open()
                .join("a");
        threads.pass(Duration.ofSeconds(10));
        assertThatThrownBy(() -> RingElection.named(longest + "n"))
                .hasMessageStartingWith("election name has 251 characters; on a ring at most 250 are allowed: nnn");
    }

    @Test
    void a_closed_observer_receives_no_events() {
        Observer observer = election.observe();
        var received = new ArrayList<Optional<Leader>>();
        observer.listen(received::add);
        leads();
        assertThat(received).hasSize(2);
        observer.close();
        candidate.close();
        threads.settle();
        assertThat(received).hasSize(2);
    }

    @Test
    void a_closed_election_accepts_no_candidates() {
        election.close();
        assertThatThrownBy(() -> election.join("a")).hasMessage("election \"orders\" is closed");
        assertThatThrownBy(election::observe).hasMessage("election \"orders\" is closed");
    }

    private void leads() {
        threads.pass(Duration.ofMillis(50));
        assertThat(candidate.isLeader()).isTrue();
    }

    private static ElectionListener<RingLeadership> listener(List<Optional<Leader>> received) {
        return new ElectionListener<RingLeadership>() {
            @Override
            public void leaderChanged(Optional<Leader> leader) {
                received.add(leader);
            }
        };
    }

    private void closeWithoutWaiting() {
        long before = threads.now().nanos();
        candidate.close();
        assertThat(threads.now().nanos()).as("no time has passed").isEqualTo(before);
        closed++;
    }
}
