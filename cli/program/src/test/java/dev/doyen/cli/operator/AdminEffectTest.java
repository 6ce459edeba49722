package dev.doyen.cli.operator;

import static dev.doyen.cli.operator.Records.free;
import static dev.doyen.cli.operator.Records.held;
import static dev.doyen.cli.operator.Records.nothing;
import static dev.doyen.cli.operator.Records.seconds;
import static dev.doyen.cli.operator.Records.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AdminEffectTest {

    private static final Leader PREVIOUS = new Leader("a", 3);
    private static final Duration WAITED = Duration.ofSeconds(20);

    @Test
    void a_resignation_is_done_when_another_term_has_begun() {
        var effect = new AdminEffect.Resign(PREVIOUS);

        assertThat(effect.seen(one(held("a", 3, 0)), 0)).isEmpty();
        assertThat(effect.seen(one(free(3, "a", LossCause.RESIGNED)), 0)).isEmpty();
        assertThat(effect.seen(one(held("b", 4, 0)), 0)).hasValueSatisfying(outcome -> {
            assertThat(outcome.achieved()).isTrue();
            assertThat(outcome.sentence()).isEqualTo("\"b\" leads now, in term 4");
        });
    }

    @Test
    void a_step_down_is_done_even_without_a_next_leader() {
        var effect = new AdminEffect.Resign(PREVIOUS);

        assertThat(effect.overdue(one(free(3, "a", LossCause.RESIGNED)), 0, WAITED)
                        .achieved())
                .isTrue();
        assertThat(effect.overdue(one(held("a", 3, 0)), 0, WAITED).achieved()).isFalse();
        assertThat(effect.overdue(one(held("a", 3, 0)), 0, WAITED).sentence())
                .startsWith("\"a\" (term 3) still leads after 20 s");
    }

    @Test
    void a_transfer_is_done_only_when_the_successor_leads() {
        var effect = new AdminEffect.Transfer(PREVIOUS, "b");

        assertThat(effect.seen(one(held("a", 3, 0)), 0)).isEmpty();
        assertThat(effect.seen(one(held("b", 4, 0)), 0).orElseThrow().achieved())
                .isTrue();
        assertThat(effect.seen(one(held("c", 4, 0)), 0)).hasValueSatisfying(outcome -> {
            assertThat(outcome.achieved()).isFalse();
            assertThat(outcome.sentence())
                    .isEqualTo(
                            "\"c\" leads now, in term 4, because \"b\" did not take over; is it running and healthy?");
        });
        assertThat(effect.overdue(one(free(3, "a", LossCause.TRANSFERRED)), 0, WAITED)
                        .achieved())
                .isFalse();
    }

    @Test
    void a_pause_is_done_when_no_candidate_leads_or_can_lead() {
        var effect = new AdminEffect.Pause();
        var silent = one(held("a", 3, 0));

        assertThat(effect.seen(silent, seconds(9))).isEmpty();
        assertThat(effect.overdue(silent, seconds(9), WAITED).achieved()).isFalse();
        assertThat(effect.seen(silent, seconds(10)).orElseThrow().achieved()).isTrue();
        assertThat(effect.seen(one(free(3, "a", LossCause.PAUSED)), 0)).isPresent();
        assertThat(effect.seen(ObservedElection.first(nothing(), 0), 0)).isPresent();
    }

    @Test
    void a_resume_is_done_after_a_renewal_or_a_new_term() {
        var effect = new AdminEffect.Resume(3);
        var left = one(held("a", 3, 0));

        assertThat(effect.seen(left, 0)).isEmpty();
        assertThat(effect.seen(left.then(snapshot(held("a", 3, 2)), seconds(2)), seconds(2)))
                .isPresent();
        assertThat(effect.seen(one(held("b", 4, 0)), 0).orElseThrow().achieved())
                .isTrue();
        assertThat(effect.overdue(left, 0, WAITED).achieved()).isFalse();
    }

    private static ObservedElection one(dev.doyen.store.LeaseRecord record) {
        return ObservedElection.first(snapshot(record), 0);
    }
}
