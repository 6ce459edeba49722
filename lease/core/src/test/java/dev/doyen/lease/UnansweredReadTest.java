package dev.doyen.lease;

import static dev.doyen.lease.Stage.OTHER;
import static dev.doyen.lease.Stage.TIMING;
import static dev.doyen.lease.Stage.heldBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Priority;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Rule L2: a read that fails is soon repeated, also if the store announces changes.
 *
 * <p>W counts from the first answer that shows the leader's last renewal. A candidate with a watch reads seldom. If it
 * lost the read after the announcement, it would see the renewal up to half of W later.
 */
class UnansweredReadTest {

    private static final Duration LONGEST_POLL =
            TIMING.pollEvery().multipliedBy(6).dividedBy(5);

    private final Stage stage = new Stage(true).campaign().found(heldBy(OTHER, 1, "a"));

    @Test
    void a_look_that_fails_is_made_again_as_soon_as_if_nothing_were_announced() {
        announced();
        stage.pass(1).take(new LeaseInput.ReadFailed(stage.now(), stage.pending()));
        looksAgainWithinAPoll();
    }

    @Test
    void so_is_one_that_takes_too_long() {
        announced();
        stage.pass(TIMING.requestTimeout().toMillis()).wake();
        looksAgainWithinAPoll();
    }

    @Test
    void what_was_announced_meanwhile_is_looked_at_at_once() {
        announced();
        stage.pass(1).take(new LeaseInput.ChangeAnnounced(stage.now()));
        stage.pass(1).take(new LeaseInput.ReadFailed(stage.now(), stage.pending()));
        assertThat(stage.readAnswered()).isTrue();
    }

    @Test
    void after_a_look_that_was_answered_the_next_is_seldom() {
        announced();
        stage.pass(1).found(heldBy(OTHER, 1, "b"));
        assertThat(untilWake())
                .isGreaterThan(TIMING.watchedPollEvery().multipliedBy(3).dividedBy(4));
    }

    @Test
    void one_of_many_under_a_session_does_not_wait_for_three_ttl_either() {
        var machine = new LeaseMachine("orders", TIMING, RenewalMode.RENEWS_SESSION, Priority.DEFAULT, true, 7);
        LeaseStep looking = machine.step(machine.begin(stage.now()), new LeaseInput.Woken(stage.now()));
        LeaseStep failed = machine.step(looking.next(), new LeaseInput.ReadFailed(stage.now(), 1));
        // At the next tick after one poll interval.
        assertThat(Duration.ofNanos(failed.wakeAtNanos() - stage.now().nanos()))
                .isPositive()
                .isLessThanOrEqualTo(LONGEST_POLL.plus(TIMING.pollEvery()));
    }

    private void announced() {
        stage.pass(1000).take(new LeaseInput.ChangeAnnounced(stage.now()));
        assertThat(stage.readAnswered()).isTrue();
    }

    private void looksAgainWithinAPoll() {
        assertThat(untilWake()).isPositive().isLessThanOrEqualTo(LONGEST_POLL);
        assertThat(stage.sleepAndWake().readAnswered()).isTrue();
    }

    private Duration untilWake() {
        return Duration.ofNanos(stage.wakeAtNanos - stage.now().nanos());
    }
}
