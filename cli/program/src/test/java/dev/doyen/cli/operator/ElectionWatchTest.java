package dev.doyen.cli.operator;

import static dev.doyen.cli.operator.Records.NOON;
import static dev.doyen.cli.operator.Records.free;
import static dev.doyen.cli.operator.Records.held;
import static dev.doyen.cli.operator.Records.nothing;
import static dev.doyen.cli.operator.Records.noting;
import static dev.doyen.cli.operator.Records.past;
import static dev.doyen.cli.operator.Records.seconds;
import static dev.doyen.cli.operator.Records.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cli.operator.Change.Kind;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.store.LeaseNotes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ElectionWatchTest {

    private final ElectionWatch watch = new ElectionWatch();
    private @Nullable ObservedElection observed;

    @Test
    void the_first_line_is_the_current_state() {
        assertThat(sees(snapshot(held("a", 3, 0)), 60)).singleElement().satisfies(change -> {
            assertThat(change.kind()).isEqualTo(Kind.LEADER);
            assertThat(change.leader()).contains(new Leader("a", 3));
            assertThat(change.sentence()).isEqualTo("\"a\" leads in term 3, since 2026-11-21T12:00:00Z, 1 min ago");
        });
    }

    @Test
    void an_unchanged_state_is_not_printed() {
        sees(snapshot(held("a", 3, 0)), 0);

        assertThat(sees(snapshot(held("a", 3, 2)), 2)).isEmpty();
        assertThat(sees(snapshot(held("a", 3, 4)), 4)).isEmpty();
    }

    @Test
    void an_election_without_any_past_leader_is_distinguished() {
        assertThat(texts(sees(nothing(), 0))).containsExactly("nobody leads, and nobody has led before");
    }

    @Test
    void the_last_leader_is_printed_first_if_nobody_leads() {
        assertThat(texts(sees(snapshot(free(3, "a", LossCause.EXPIRED)), 5)))
                .containsExactly("nobody leads: \"a\" (term 3) was over 2026-11-21T12:00:00Z, 5 s ago, expired");
    }

    @Test
    void the_end_of_a_term_has_its_cause_and_the_next_term_has_the_gap() {
        sees(snapshot(held("a", 3, 0)), 0);

        assertThat(texts(sees(snapshot(free(3, "a", LossCause.RESIGNED)), 1)))
                .containsExactly("nobody leads: \"a\" (term 3) is over, resigned");
        assertThat(texts(sees(snapshot(held("b", 4, 1)), 1.5)))
                .containsExactly("\"b\" leads in term 4; nobody led for 500 ms");
    }

    @Test
    void a_change_between_two_reads_is_printed_with_its_recorded_cause() {
        sees(snapshot(held("a", 3, 0)), 0);
        var next = noting(held("b", 4, 1), past(new LeaseNotes.PastTerm(3, "a", NOON, NOON, LossCause.TRANSFERRED)));

        assertThat(texts(sees(snapshot(next), 1)))
                .containsExactly("\"b\" leads in term 4, after \"a\" (term 3), transferred");
    }

    @Test
    void a_preferred_successor_is_printed() {
        sees(snapshot(held("a", 3, 0)), 0);
        var released = free(3, "a", LossCause.TRANSFERRED);
        var successor =
                released.notes().withSuccessor(Optional.of(new LeaseNotes.Successor("b", Duration.ofSeconds(5))));

        assertThat(texts(sees(snapshot(noting(released, successor)), 1)))
                .containsExactly("nobody leads: \"a\" (term 3) is over, transferred; \"b\" is to follow");
    }

    @Test
    void a_missed_renewal_and_the_next_renewal_are_each_printed_once() {
        var first = snapshot(held("a", 3, 0));
        sees(first, 0);

        assertThat(sees(first, 4.9)).isEmpty();
        assertThat(texts(sees(first, 5)))
                .containsExactly("\"a\" (term 3) has not renewed for 5 s; its lease expires in 5 s");
        assertThat(sees(first, 6)).isEmpty();
        assertThat(texts(sees(snapshot(held("a", 3, 7)), 7))).containsExactly("\"a\" (term 3) renews again");
    }

    @Test
    void an_expired_lease_has_no_leader() {
        var first = snapshot(held("a", 3, 0));
        sees(first, 0);
        sees(first, 5);

        assertThat(sees(first, 10)).singleElement().satisfies(change -> {
            assertThat(change.kind()).isEqualTo(Kind.NOBODY);
            assertThat(change.leader()).isEmpty();
            assertThat(change.sentence())
                    .isEqualTo("nobody leads: \"a\" (term 3) has not renewed for 10 s and its lease has expired");
        });
        assertThat(sees(first, 12)).isEmpty();
    }

    @Test
    void step_down_requests_and_pauses_are_printed_with_author_and_reason() {
        var record = held("a", 3, 0);
        sees(snapshot(record), 0);
        var requested = noting(
                record,
                LeaseNotes.NONE.withStepDownRequest(new LeaseNotes.StepDownRequest("b", "alice@host", "upgrade")));
        var paused = noting(record, LeaseNotes.NONE.withPause(Optional.of(new LeaseNotes.Pause("bob", "", NOON))));

        assertThat(texts(sees(snapshot(requested), 1)))
                .containsExactly("\"a\" (term 3) is asked to hand over to \"b\", by alice@host: upgrade");
        assertThat(texts(sees(snapshot(paused), 2))).containsExactly("paused by bob, 2026-11-21T12:00:00Z, 2 s ago");
        assertThat(texts(sees(snapshot(noting(record, LeaseNotes.NONE)), 3))).containsExactly("the pause is over");
    }

    @Test
    void the_failure_and_the_return_of_a_store_are_each_printed_once() {
        sees(snapshot(held("a", 3, 0)), 0);

        assertThat(texts(watch.failed("no route"))).containsExactly("the store gives no answer: no route");
        assertThat(watch.failed("no route")).isEmpty();
        assertThat(texts(sees(snapshot(held("a", 3, 2)), 2))).containsExactly("the store answers again");
    }

    private List<Change> sees(ElectionSnapshot snapshot, double atSeconds) {
        long nanos = seconds(atSeconds);
        observed = observed == null ? ObservedElection.first(snapshot, nanos) : observed.then(snapshot, nanos);
        return watch.seen(observed, nanos, NOON.plusMillis(Math.round(atSeconds * 1000)));
    }

    private static List<String> texts(List<Change> changes) {
        return changes.stream().map(Change::sentence).toList();
    }
}
