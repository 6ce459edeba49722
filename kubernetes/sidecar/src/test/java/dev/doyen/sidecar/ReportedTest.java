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
    void the_leader_that_is_seen_is_named(Mode mode) {
        assertThat(begin(mode).told(false)).isEmpty();
        assertThat(begin(mode).seen(OTHER).told(false)).isEqualTo(OTHER);
        assertThat(begin(mode).seen(OTHER).elected(5).told(true)).contains(new Leader("me", 5));
    }

    @Test
    void the_own_candidate_is_not_named_once_its_clock_says_that_it_leads_no_more() {
        var leading = begin(Mode.LEASE).elected(3).seen(OWN);

        assertThat(leading.told(true)).isEqualTo(OWN);
        assertThat(leading.told(false)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void a_record_of_this_container_before_its_restart_names_nobody(Mode mode) {
        assertThat(begin(mode).seen(OWN).told(true)).isEmpty();
        assertThat(begin(mode).seen(OWN).told(false)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void news_may_come_before_or_after_the_own_election(Mode mode) {
        assertThat(begin(mode).seen(OWN).elected(3).told(true)).isEqualTo(OWN);
        assertThat(begin(mode).elected(3).seen(OWN).told(true)).isEqualTo(OWN);
        assertThat(begin(mode).elected(3).seen(OTHER).lost(LossCause.SUPERSEDED).told(false))
                .isEqualTo(OTHER);
    }

    @ParameterizedTest
    @EnumSource(LossCause.class)
    void a_loss_of_a_lease_is_told_at_once(LossCause cause) {
        assertThat(begin(Mode.LEASE).elected(3).lost(cause).told(true)).isEmpty();
    }

    @Test
    void the_leader_of_a_non_expiring_lease_is_named_while_the_store_is_away() {
        var leading = begin(Mode.NON_EXPIRING).elected(3).seen(OWN);

        assertThat(leading.told(false)).isEqualTo(OWN);
        assertThat(leading.lost(LossCause.EXPIRED).seen(NOBODY).told(false)).isEqualTo(OWN);
        assertThat(leading.lost(LossCause.SUSPENDED).told(false)).isEqualTo(OWN);
        assertThat(begin(Mode.NON_EXPIRING).seen(OTHER).seen(NOBODY).told(false))
                .isEqualTo(OTHER);
    }

    @Test
    void the_leader_of_a_non_expiring_lease_ends_when_another_is_seen_or_somebody_wills_it() {
        var leading = begin(Mode.NON_EXPIRING).elected(3).seen(OWN);

        assertThat(leading.lost(LossCause.EXPIRED).seen(OTHER).told(false)).isEqualTo(OTHER);
        assertThat(leading.lost(LossCause.RESIGNED).told(false)).isEmpty();
        assertThat(leading.lost(LossCause.PAUSED).told(false)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void one_that_is_leaving_names_others_but_not_itself(Mode mode) {
        assertThat(begin(mode).elected(3).silenced().told(true)).isEmpty();
        assertThat(begin(mode).silenced().elected(3).told(true)).isEmpty();
        assertThat(begin(mode).elected(3).silenced().seen(OTHER).told(false)).isEqualTo(OTHER);
    }

    @Test
    void non_expiring_leases_decide_what_is_reported_in_any_mode() {
        var reported = begin(Mode.LEASE).nonExpiring().elected(3).lost(LossCause.EXPIRED);

        assertThat(reported.told(false)).contains(new Leader("me", 3));
    }

    private static Reported begin(Mode mode) {
        return Reported.begin(mode, "me");
    }
}
