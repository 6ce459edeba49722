package dev.doyen.cli.operator;

import static dev.doyen.cli.operator.Records.free;
import static dev.doyen.cli.operator.Records.held;
import static dev.doyen.cli.operator.Records.nothing;
import static dev.doyen.cli.operator.Records.noting;
import static dev.doyen.cli.operator.Records.seconds;
import static dev.doyen.cli.operator.Records.session;
import static dev.doyen.cli.operator.Records.snapshot;
import static dev.doyen.cli.operator.Records.under;
import static dev.doyen.cli.operator.Records.versioned;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cli.operator.ObservedElection.State;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ObservedElectionTest {

    @Test
    void one_read_shows_the_holder_but_not_that_it_is_alive() {
        var observed = ObservedElection.first(snapshot(held("a", 3, 0)), 0);

        assertThat(observed.state(0)).isEqualTo(State.NAMED);
        assertThat(observed.leader(0)).contains(new Leader("a", 3));
        assertThat(observed.lasts(seconds(4))).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void an_observed_renewal_shows_that_the_holder_is_alive() {
        var observed = ObservedElection.first(snapshot(held("a", 3, 0)), 0).then(snapshot(held("a", 3, 2)), seconds(2));

        assertThat(observed.state(seconds(2))).isEqualTo(State.LED);
        assertThat(observed.lasts(seconds(2))).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void a_note_of_another_writer_neither_shows_life_nor_restarts_the_wait() { // L2
        var before = held("a", 3, 0);
        var requested =
                noting(before, LeaseNotes.NONE.withStepDownRequest(new LeaseNotes.StepDownRequest("", "alice", "")));
        var observed = ObservedElection.first(snapshot(before), 0).then(snapshot(requested), seconds(6));

        assertThat(observed.state(seconds(6))).isEqualTo(State.NAMED);
        assertThat(observed.lasts(seconds(6))).isEqualTo(Duration.ofSeconds(4));
        assertThat(observed.state(seconds(9.9))).isEqualTo(State.NAMED);
        assertThat(observed.state(seconds(10))).isEqualTo(State.EXPIRED);
        assertThat(observed.leader(seconds(10))).isEmpty();
    }

    @Test
    void a_note_in_a_lease_does_not_restart_the_wait_for_its_session() { // L2, L12
        var lease = under("~session/1", 5, "a", 3);
        var noted = noting(lease, LeaseNotes.NONE.withStepDownRequest(new LeaseNotes.StepDownRequest("", "alice", "")));
        var session = Optional.of(versioned(session("~session/1", "host", 5, 0)));
        var observed = ObservedElection.first(new ElectionSnapshot(versioned(lease), session), 0)
                .then(new ElectionSnapshot(versioned(noted), session), seconds(6));

        assertThat(observed.state(seconds(9.9))).isEqualTo(State.NAMED);
        assertThat(observed.state(seconds(10))).isEqualTo(State.EXPIRED);
    }

    @Test
    void the_wait_for_a_new_session_starts_at_its_first_read() { // L12
        var first = new ElectionSnapshot(
                versioned(under("~session/1", 5, "a", 3)), Optional.of(versioned(session("~session/1", "host", 5, 0))));
        var next = new ElectionSnapshot(
                versioned(under("~session/2", 2, "b", 4)),
                Optional.of(versioned(session("~session/2", "other", 2, 0))));
        var observed = ObservedElection.first(first, 0).then(next, seconds(6));

        assertThat(observed.leader(seconds(15.9))).contains(new Leader("b", 4));
        assertThat(observed.state(seconds(16))).isEqualTo(State.EXPIRED);
    }

    /** Tests rule L2. */
    @Test
    void a_lease_that_is_unchanged_for_its_ttl_has_expired() {
        var first = snapshot(held("a", 3, 0));
        var observed = ObservedElection.first(first, 0).then(first, seconds(9));

        assertThat(observed.leader(seconds(9.9))).isPresent();
        assertThat(observed.state(seconds(10))).isEqualTo(State.EXPIRED);
        assertThat(observed.leader(seconds(10))).isEmpty();
        assertThat(observed.holder()).isPresent();
    }

    @Test
    void a_new_term_shows_that_its_holder_is_alive() {
        var observed = ObservedElection.first(snapshot(free(3, "a", LossCause.RESIGNED)), 0)
                .then(snapshot(held("b", 4, 0)), seconds(1));

        assertThat(observed.state(seconds(1))).isEqualTo(State.LED);
    }

    @Test
    void a_released_lease_is_free_and_a_missing_record_has_no_history() {
        assertThat(ObservedElection.first(snapshot(free(3, "a", LossCause.CLOSED)), 0)
                        .state(0))
                .isEqualTo(State.FREE);
        assertThat(ObservedElection.first(nothing(), 0).state(0)).isEqualTo(State.NEVER_LED);
        assertThat(ObservedElection.first(nothing(), 0).leader(0)).isEmpty();
    }

    /** Tests rule L12 with a renewed session and an unchanged lease. */
    @Test
    void a_lease_with_a_session_is_held_while_the_session_is_renewed() {
        var lease = versioned(under("~session/1", 5, "a", 3));
        var first = new ElectionSnapshot(lease, Optional.of(versioned(session("~session/1", "host", 5, 0))));
        var renewed = new ElectionSnapshot(lease, Optional.of(versioned(session("~session/1", "host", 5, 8))));
        var observed = ObservedElection.first(first, 0).then(renewed, seconds(8));

        assertThat(observed.state(seconds(17))).isEqualTo(State.LED);
        assertThat(observed.state(seconds(18))).isEqualTo(State.EXPIRED);
        assertThat(observed.renewedAt()).contains(Records.NOON.plusSeconds(8));
    }

    @Test
    void a_lease_of_an_ended_session_is_free() {
        var lease = under("~session/1", 5, "a", 3);

        assertThat(ObservedElection.first(snapshot(lease, session("~session/1", "host", 6, 0)), 0)
                        .state(0))
                .isEqualTo(State.FREE);
        assertThat(ObservedElection.first(snapshot(lease, session("~session/1", "", 5, 0)), 0)
                        .state(0))
                .isEqualTo(State.FREE);
        assertThat(ObservedElection.first(snapshot(lease, session("~session/1", "host", 5, 0)), 0)
                        .state(0))
                .isEqualTo(State.NAMED);
    }

    @Test
    void a_missing_session_record_starts_the_wait_and_shows_no_life() {
        var lease = versioned(under("~session/1", 5, "a", 3));
        var observed = ObservedElection.first(
                        new ElectionSnapshot(lease, Optional.of(versioned(session("~session/1", "host", 5, 0)))), 0)
                .then(new ElectionSnapshot(lease, Optional.of(VersionedLease.ABSENT)), seconds(1));

        assertThat(observed.state(seconds(10.9))).isEqualTo(State.NAMED);
        assertThat(observed.state(seconds(11))).isEqualTo(State.EXPIRED);
    }
}
