package dev.doyen.lease;

import static dev.doyen.lease.Stage.OTHER;
import static dev.doyen.lease.Stage.TIMING;
import static dev.doyen.lease.Stage.heldBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Priority;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests rule L2: a failed read is soon repeated, even if the store announces changes.
 *
 * <p>A candidate waits for the ttl W before a takeover, and W starts when the candidate reads the leader's last
 * renewal. If the store announces changes, a candidate reads rarely. Without an early repetition, one failed read would
 * delay the start of W by up to 0.6 W.
 */
class UnansweredReadTest {

    private static final StoreFault AWAY = StoreFault.away("on purpose");

    private static final Duration LONGEST_POLL =
            TIMING.pollEvery().multipliedBy(6).dividedBy(5);

    private final Stage stage = new Stage(true).campaign().found(heldBy(OTHER, 1, "a"));

    @Test
    void a_failed_read_is_repeated_after_one_poll_interval() {
        announced();
        stage.pass(1).take(new LeaseInput.ReadFailed(stage.now(), stage.pending(), AWAY));
        isReadAgainWithinAPoll();
    }

    @Test
    void a_read_that_times_out_is_repeated_after_one_poll_interval() {
        announced();
        stage.pass(TIMING.requestTimeout().toMillis()).wake();
        isReadAgainWithinAPoll();
    }

    @Test
    void a_change_announced_meanwhile_is_read_at_once() {
        announced();
        stage.pass(1).take(new LeaseInput.ChangeAnnounced(stage.now()));
        stage.pass(1).take(new LeaseInput.ReadFailed(stage.now(), stage.pending(), AWAY));
        assertThat(stage.readAnswered()).isTrue();
    }

    @Test
    void the_next_read_after_an_answer_is_late() {
        announced();
        stage.pass(1).found(heldBy(OTHER, 1, "b"));
        assertThat(untilWake())
                .isGreaterThan(TIMING.watchedPollEvery().multipliedBy(3).dividedBy(4));
    }

    @Test
    void an_election_of_a_session_does_not_wait_three_ttl() {
        var machine = new LeaseMachine("orders", TIMING, RenewalMode.RENEWS_SESSION, Priority.DEFAULT, true, 7);
        LeaseStep reading = machine.step(machine.begin(stage.now()), new LeaseInput.Woken(stage.now()));
        LeaseStep failed = machine.step(reading.next(), new LeaseInput.ReadFailed(stage.now(), 1, AWAY));
        // The next read is due after one poll interval with jitter. The machine rounds the time of this read up to a
        // multiple of the poll interval.
        assertThat(Duration.ofNanos(failed.wakeAtNanos() - stage.now().nanos()))
                .isPositive()
                .isLessThanOrEqualTo(LONGEST_POLL.plus(TIMING.pollEvery()));
    }

    private void announced() {
        stage.pass(1000).take(new LeaseInput.ChangeAnnounced(stage.now()));
        assertThat(stage.readAnswered()).isTrue();
    }

    private void isReadAgainWithinAPoll() {
        assertThat(untilWake()).isPositive().isLessThanOrEqualTo(LONGEST_POLL);
        assertThat(stage.sleepAndWake().readAnswered()).isTrue();
    }

    private Duration untilWake() {
        return Duration.ofNanos(stage.wakeAtNanos - stage.now().nanos());
    }
}
