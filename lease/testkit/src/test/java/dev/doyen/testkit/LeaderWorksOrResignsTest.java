package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.Explanation.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a candidate resigns when its task ends, and what makes it campaign again. The test moves the clock. */
class LeaderWorksOrResignsTest {

    private static final Duration TTL = Duration.ofSeconds(10);

    private final ManualThreads threads = new ManualThreads();
    private final FaultyLeaseStore store = new FaultyLeaseStore();
    private final Election election = Election.lease("orders")
            .store(store)
            .ttl(TTL)
            .threads(threads, () -> 7)
            .open();
    private final LeaseCandidate candidate = election.join("n1");
    private final List<Long> terms = new ArrayList<>();

    @Test
    void a_task_that_throws_at_the_end_of_its_term_is_restarted_in_the_next_term() throws Exception { // L4
        boolean returned = candidate.whileLeading(leadership -> {
            terms.add(leadership.term());
            if (terms.size() == 1) {
                // The deadline passes on the wall clock, before a timer of the loop is due.
                threads.jumpWallClock(TTL);
                leadership.check();
            }
        });
        assertThat(returned).isTrue();
        assertThat(terms).hasSize(2).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_task_that_throws_after_a_store_outage_of_D_is_restarted_in_the_next_term() throws Exception {
        boolean returned = candidate.whileLeading(leadership -> {
            terms.add(leadership.term());
            if (terms.size() == 1) {
                store.fault(FaultyLeaseStore.Fault.AWAY);
                threads.pass(leadership.remaining());
                store.fault(FaultyLeaseStore.Fault.NONE);
                throw new IllegalStateException("fails at the end of the term");
            }
        });
        assertThat(returned).isTrue();
        assertThat(terms).hasSize(2).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_clock_that_was_set_back_leaves_no_leader_without_work() {
        assertThatThrownBy(() -> candidate.whileLeading(leadership -> {
                    threads.jumpWallClock(TTL);
                    try {
                        leadership.check();
                    } finally {
                        threads.jumpWallClock(TTL.negated());
                    }
                }))
                .isInstanceOf(NotLeaderException.class);
        leadsNoMore();
    }

    @Test
    void a_task_is_not_started_in_an_expired_term() throws Exception { // L4
        threads.pass(Duration.ofSeconds(1));
        long first = candidate.leadership().orElseThrow().term();
        threads.jumpWallClock(TTL);

        candidate.whileLeading(leadership -> {
            terms.add(leadership.term());
            assertThat(leadership.isCertain()).isTrue();
        });
        assertThat(terms).hasSize(1).allMatch(term -> term > first);
    }

    @Test
    void a_task_that_throws_ends_the_leadership() {
        assertThatThrownBy(() -> candidate.whileLeading(leadership -> {
                    throw new IOException("disk full");
                }))
                .isInstanceOf(IOException.class);
        leadsNoMore();
    }

    @Test
    void a_task_that_throws_an_Error_ends_the_leadership() {
        assertThatThrownBy(() -> candidate.whileLeading(leadership -> {
                    throw new StackOverflowError("on purpose");
                }))
                .isInstanceOf(StackOverflowError.class);
        leadsNoMore();
    }

    @Test
    void a_task_that_returns_ends_the_leadership() throws Exception {
        candidate.whileLeading(leadership -> {});
        leadsNoMore();
    }

    @Test
    void an_interrupted_wait_leaves_no_leader() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> candidate.whileLeading(leadership -> terms.add(leadership.term())))
                .isInstanceOf(InterruptedException.class);
        assertThat(terms).isEmpty();
        leadsNoMore();
    }

    @Test
    void the_next_task_makes_the_candidate_campaign_again() throws Exception {
        candidate.whileLeading(leadership -> {});
        leadsNoMore();

        assertThat(candidate.whileLeading(leadership -> terms.add(leadership.term())))
                .isTrue();
        assertThat(terms).hasSize(1);
    }

    @Test
    void resume_makes_a_candidate_with_listeners_campaign_again() throws Exception {
        candidate.whileLeading(leadership -> {});
        leadsNoMore();

        candidate.resume();
        threads.pass(TTL);
        assertThat(candidate.isLeader()).isTrue();
    }

    @Test
    void a_paused_candidate_stays_paused_when_it_gets_a_task() throws Exception {
        candidate.whileLeading(leadership -> {});
        candidate.pause();
        threads.settle();
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                terms.add(leadership.term());
            }
        });
        threads.at(threads.now().nanos() + TTL.multipliedBy(3).toNanos(), candidate::close);

        assertThat(candidate.whileLeading(leadership -> {}))
                .as("the candidate was closed first")
                .isFalse();
        assertThat(terms).isEmpty();
    }

    private void leadsNoMore() {
        for (int i = 0; i < 100; i++) {
            threads.pass(TTL.dividedBy(10));
            assertThat(candidate.isLeader()).isFalse();
        }
        assertThat(candidate.explain().reason()).isEqualTo(Reason.WITHOUT_TASK);
    }
}
