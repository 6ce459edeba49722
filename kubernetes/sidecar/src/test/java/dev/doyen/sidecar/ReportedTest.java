package dev.doyen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ReportedTest {

    private static final Optional<Leader> NOBODY = Optional.empty();
    private static final Optional<Leader> OWN = Optional.of(new Leader("me", 3));
    private static final Optional<Leader> OTHER = Optional.of(new Leader("you", 4));

    @ParameterizedTest
    @EnumSource(Mode.class)
    void the_observed_leader_is_reported(Mode mode) {
        assertThat(begin(mode).reportedLeader(false)).isEmpty();
        assertThat(begin(mode).seen(OTHER).reportedLeader(false)).isEqualTo(OTHER);
        assertThat(begin(mode).seen(OTHER).elected(5).reportedLeader(true)).contains(new Leader("me", 5));
    }

    @Test
    void the_local_candidate_is_not_reported_after_its_lease_by_its_clock() {
        var leading = begin(Mode.LEASE).elected(3).seen(OWN);

        assertThat(leading.reportedLeader(true)).isEqualTo(OWN);
        assertThat(leading.reportedLeader(false)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void a_record_of_this_container_from_before_its_restart_has_no_leader(Mode mode) {
        assertThat(begin(mode).seen(OWN).reportedLeader(true)).isEmpty();
        assertThat(begin(mode).seen(OWN).reportedLeader(false)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void observations_can_arrive_before_or_after_the_own_election(Mode mode) {
        assertThat(begin(mode).seen(OWN).elected(3).reportedLeader(true)).isEqualTo(OWN);
        assertThat(begin(mode).elected(3).seen(OWN).reportedLeader(true)).isEqualTo(OWN);
        assertThat(begin(mode).elected(3).seen(OTHER).lost(LossCause.SUPERSEDED).reportedLeader(false))
                .isEqualTo(OTHER);
    }

    @ParameterizedTest
    @EnumSource(LossCause.class)
    void a_loss_of_the_lease_is_reported_at_once(LossCause cause) {
        assertThat(begin(Mode.LEASE).elected(3).lost(cause).reportedLeader(true))
                .isEmpty();
    }

    @Test
    void the_leader_of_a_non_expiring_lease_is_reported_during_a_store_outage() {
        var leading = begin(Mode.NON_EXPIRING).elected(3).seen(OWN);

        assertThat(leading.reportedLeader(false)).isEqualTo(OWN);
        assertThat(leading.lost(LossCause.EXPIRED).seen(NOBODY).reportedLeader(false))
                .isEqualTo(OWN);
        assertThat(leading.lost(LossCause.SUSPENDED).reportedLeader(false)).isEqualTo(OWN);
        assertThat(begin(Mode.NON_EXPIRING).seen(OTHER).seen(NOBODY).reportedLeader(false))
                .isEqualTo(OTHER);
    }

    @Test
    void the_leader_of_a_non_expiring_lease_ends_with_another_leader_or_a_command() {
        var leading = begin(Mode.NON_EXPIRING).elected(3).seen(OWN);

        assertThat(leading.lost(LossCause.EXPIRED).seen(OTHER).reportedLeader(false))
                .isEqualTo(OTHER);
        assertThat(leading.lost(LossCause.RESIGNED).reportedLeader(false)).isEmpty();
        assertThat(leading.lost(LossCause.PAUSED).reportedLeader(false)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void a_leaving_candidate_reports_others_but_not_itself(Mode mode) {
        assertThat(begin(mode).elected(3).withoutOwnCandidate().reportedLeader(true))
                .isEmpty();
        assertThat(begin(mode).withoutOwnCandidate().elected(3).reportedLeader(true))
                .isEmpty();
        assertThat(begin(mode).elected(3).withoutOwnCandidate().seen(OTHER).reportedLeader(false))
                .isEqualTo(OTHER);
    }

    @Test
    void non_expiring_leases_decide_what_is_reported_in_any_mode() {
        var reported = begin(Mode.LEASE).nonExpiring().elected(3).lost(LossCause.EXPIRED);

        assertThat(reported.reportedLeader(false)).contains(new Leader("me", 3));
    }

    private static Reported begin(Mode mode) {
        return Reported.begin(mode, "me");
    }
}
