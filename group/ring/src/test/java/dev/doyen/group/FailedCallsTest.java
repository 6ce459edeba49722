package dev.doyen.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Explanation.Reason;
import dev.doyen.group.driver.MembershipContest;
import dev.doyen.group.driver.RingContest;
import dev.doyen.group.driver.RingTally;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Membership;
import dev.doyen.ring.RingSettings;
import dev.doyen.testkit.ManualThreads;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the future of a candidate's call while the machine fails to process the call.
 *
 * <p>The candidate is the only member of the ring.
 */
class FailedCallsTest { // L8

    private static final RingSettings SETTINGS = new RingSettings(
            RingAlgorithm.CHANG_ROBERTS, RingTiming.ofElectionTimeout(Duration.ofSeconds(1)), 100, true);

    private final ManualThreads threads = new ManualThreads();
    private final Membership membership = new FakeCluster(threads).join("a");
    private final RingTally tally = new RingTally();
    private final MembershipElection election = new MembershipElection(
            "orders",
            membership,
            new MembershipElection.Durations(
                    Duration.ofSeconds(5), SETTINGS.timing().leaderLease()),
            failing(new RingContest(SETTINGS, membership.me(), tally)),
            tally,
            Optional.empty(),
            threads,
            () -> {});

    /** The name of the machine's method that fails. */
    private String failing = "";

    /** The number of calls of this method that fail. */
    private int failures;

    private RingCandidate candidate;

    @BeforeEach
    void lead() {
        election.begin();
        candidate = election.join("a");
        threads.pass(Duration.ofMillis(50));
        assertThat(candidate.isLeader()).isTrue();
    }

    @Test
    void a_resignation_that_failed_is_done_after_a_later_attempt_has_succeeded() {
        fail("resign", 2);
        CompletableFuture<Void> resigned = candidate.resign();
        threads.settle();
        assertThat(candidate.isLeader()).isTrue();
        assertThat(resigned).isNotDone();
        threads.pass(Duration.ofSeconds(1));
        assertThat(candidate.isLeader()).isFalse();
        assertThat(resigned).isCompleted();
    }

    @Test
    void a_call_that_failed_is_repeated_before_the_next_call() {
        fail("resign", 1);
        CompletableFuture<Void> resigned = candidate.resign();
        CompletableFuture<Void> paused = candidate.pause();
        threads.settle();
        assertThat(resigned).isCompleted();
        assertThat(paused).isCompleted();
        assertThat(candidate.explain().reason()).isEqualTo(Reason.CANDIDATE_PAUSED);
    }

    @Test
    void a_candidate_whose_withdrawal_failed_leaves_after_a_later_attempt_has_succeeded() {
        fail("withdraw", 1);
        CompletableFuture<Void> left = candidate.leave();
        threads.settle();
        assertThat(left).isNotDone();
        threads.pass(Duration.ofSeconds(1));
        assertThat(left).isCompleted();
        assertThat(election.join("a")).isNotNull();
    }

    @Test
    void a_resignation_that_fails_repeatedly_fails() {
        fail("resign", Integer.MAX_VALUE);
        CompletableFuture<Void> resigned = candidate.resign();
        threads.pass(Duration.ofSeconds(1));
        assertThat(candidate.isLeader()).isTrue();
        assertThat(resigned)
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class)
                .withMessageContaining("the calls of the candidate in election \"orders\" failed repeatedly");
    }

    private void fail(String method, int times) {
        failing = method;
        failures = times;
    }

    private MembershipContest failing(MembershipContest sound) {
        return (MembershipContest) Proxy.newProxyInstance(
                MembershipContest.class.getClassLoader(),
                new Class<?>[] {MembershipContest.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals(failing) && failures > 0) {
                        failures--;
                        throw new OutOfMemoryError("on purpose");
                    }
                    try {
                        return method.invoke(sound, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
