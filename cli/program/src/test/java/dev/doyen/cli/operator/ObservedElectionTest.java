package dev.doyen.cli.operator;

import static dev.doyen.cli.operator.Records.free;
import static dev.doyen.cli.operator.Records.held;
import static dev.doyen.cli.operator.Records.look;
import static dev.doyen.cli.operator.Records.nothing;
import static dev.doyen.cli.operator.Records.noting;
import static dev.doyen.cli.operator.Records.seconds;
import static dev.doyen.cli.operator.Records.session;
import static dev.doyen.cli.operator.Records.under;
import static dev.doyen.cli.operator.Records.versioned;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cli.operator.Sighting.Standing;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseOrder;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SightingTest {

    @Test
    void one_look_names_the_holder_and_does_not_say_that_it_lives() {
        var sighting = Sighting.first(look(held("a", 3, 0)), 0);

        assertThat(sighting.standing(0)).isEqualTo(Standing.NAMED);
        assertThat(sighting.leader(0)).contains(new Leader("a", 3));
        assertThat(sighting.lasts(seconds(4))).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void a_renewal_seen_is_life() {
        var sighting = Sighting.first(look(held("a", 3, 0)), 0).then(look(held("a", 3, 2)), seconds(2));

        assertThat(sighting.standing(seconds(2))).isEqualTo(Standing.LED);
        assertThat(sighting.lasts(seconds(2))).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void a_note_by_somebody_else_is_no_life_and_does_not_restart_the_wait() { // L2
        var before = held("a", 3, 0);
        var ordered = noting(before, LeaseNotes.NONE.withOrder(new LeaseOrder("", "alice", "")));
        var sighting = Sighting.first(look(before), 0).then(look(ordered), seconds(6));

        assertThat(sighting.standing(seconds(6))).isEqualTo(Standing.NAMED);
        assertThat(sighting.lasts(seconds(6))).isEqualTo(Duration.ofSeconds(4));
        assertThat(sighting.standing(seconds(9.9))).isEqualTo(Standing.NAMED);
        assertThat(sighting.standing(seconds(10))).isEqualTo(Standing.RUN_OUT);
        assertThat(sighting.leader(seconds(10))).isEmpty();
    }

    @Test
    void a_note_in_a_lease_does_not_restart_the_wait_for_its_session() { // L2, L12
        var lease = under("~session/1", 5, "a", 3);
        var noted = noting(lease, LeaseNotes.NONE.withOrder(new LeaseOrder("", "alice", "")));
        var session = Optional.of(versioned(session("~session/1", "host", 5, 0)));
        var sighting = Sighting.first(new Look(versioned(lease), session), 0)
                .then(new Look(versioned(noted), session), seconds(6));

        assertThat(sighting.standing(seconds(9.9))).isEqualTo(Standing.NAMED);
        assertThat(sighting.standing(seconds(10))).isEqualTo(Standing.RUN_OUT);
    }

    @Test
    void a_session_of_another_name_is_waited_for_from_its_first_read() { // L12
        var first = new Look(
                versioned(under("~session/1", 5, "a", 3)), Optional.of(versioned(session("~session/1", "host", 5, 0))));
        var next = new Look(
                versioned(under("~session/2", 2, "b", 4)),
                Optional.of(versioned(session("~session/2", "other", 2, 0))));
        var sighting = Sighting.first(first, 0).then(next, seconds(6));

        assertThat(sighting.leader(seconds(15.9))).contains(new Leader("b", 4));
        assertThat(sighting.standing(seconds(16))).isEqualTo(Standing.RUN_OUT);
    }

    /** Rule L2. */
    @Test
    void a_lease_unchanged_for_its_ttl_has_run_out_and_names_nobody() {
        var first = look(held("a", 3, 0));
        var sighting = Sighting.first(first, 0).then(first, seconds(9));

        assertThat(sighting.leader(seconds(9.9))).isPresent();
        assertThat(sighting.standing(seconds(10))).isEqualTo(Standing.RUN_OUT);
        assertThat(sighting.leader(seconds(10))).isEmpty();
        assertThat(sighting.holder()).isPresent();
    }

    @Test
    void a_new_term_was_written_by_one_who_lives() {
        var sighting =
                Sighting.first(look(free(3, "a", LossCause.RESIGNED)), 0).then(look(held("b", 4, 0)), seconds(1));

        assertThat(sighting.standing(seconds(1))).isEqualTo(Standing.LED);
    }

    @Test
    void a_lease_given_back_is_free_and_none_at_all_never_was() {
        assertThat(Sighting.first(look(free(3, "a", LossCause.CLOSED)), 0).standing(0))
                .isEqualTo(Standing.FREE);
        assertThat(Sighting.first(nothing(), 0).standing(0)).isEqualTo(Standing.NEVER_LED);
        assertThat(Sighting.first(nothing(), 0).leader(0)).isEmpty();
    }

    /** Rule L12: the session is renewed, but the lease does not change. */
    @Test
    void a_lease_under_a_session_lives_as_long_as_the_session_is_renewed() {
        var lease = versioned(under("~session/1", 5, "a", 3));
        var first = new Look(lease, Optional.of(versioned(session("~session/1", "host", 5, 0))));
        var renewed = new Look(lease, Optional.of(versioned(session("~session/1", "host", 5, 8))));
        var sighting = Sighting.first(first, 0).then(renewed, seconds(8));

        assertThat(sighting.standing(seconds(17))).isEqualTo(Standing.LED);
        assertThat(sighting.standing(seconds(18))).isEqualTo(Standing.RUN_OUT);
        assertThat(sighting.heardAt()).contains(Records.NOON.plusSeconds(8));
    }

    @Test
    void a_lease_under_a_session_that_is_over_is_free() {
        var lease = under("~session/1", 5, "a", 3);

        assertThat(Sighting.first(look(lease, session("~session/1", "host", 6, 0)), 0)
                        .standing(0))
                .isEqualTo(Standing.FREE);
        assertThat(Sighting.first(look(lease, session("~session/1", "", 5, 0)), 0)
                        .standing(0))
                .isEqualTo(Standing.FREE);
        assertThat(Sighting.first(look(lease, session("~session/1", "host", 5, 0)), 0)
                        .standing(0))
                .isEqualTo(Standing.NAMED);
    }

    @Test
    void a_session_that_vanished_is_waited_for_and_is_no_life() {
        var lease = versioned(under("~session/1", 5, "a", 3));
        var sighting = Sighting.first(new Look(lease, Optional.of(versioned(session("~session/1", "host", 5, 0)))), 0)
                .then(new Look(lease, Optional.of(VersionedLease.ABSENT)), seconds(1));

        assertThat(sighting.standing(seconds(10.9))).isEqualTo(Standing.NAMED);
        assertThat(sighting.standing(seconds(11))).isEqualTo(Standing.RUN_OUT);
    }
}
