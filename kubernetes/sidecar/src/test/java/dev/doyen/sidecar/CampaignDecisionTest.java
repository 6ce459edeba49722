package dev.doyen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class CampaignDecisionTest {

    private static final long NOW = Math.addExact(Long.MAX_VALUE, -5);
    private static final AppWatch.AppProcess FIRST = new AppWatch.AppProcess(7, 100);
    private static final AppWatch.AppProcess SECOND = new AppWatch.AppProcess(7, 200);

    @Test
    void it_stands_until_somebody_objects() {
        assertThat(CampaignDecision.BEGIN.campaignsAt(NOW)).isTrue();
        assertThat(CampaignDecision.BEGIN.withdraw().campaignsAt(NOW)).isFalse();
    }

    @Test
    void once_asked_it_stands_only_while_that_is_repeated() {
        var asked = CampaignDecision.BEGIN.campaignUntil(NOW + 100);

        assertThat(asked.campaignsAt(NOW + 99)).isTrue();
        assertThat(asked.campaignsAt(NOW + 100)).isFalse();
        assertThat(asked.campaignUntil(NOW + 300).campaignsAt(NOW + 200)).isTrue();
    }

    @Test
    void it_does_not_stand_for_an_app_that_has_ended() {
        assertThat(CampaignDecision.BEGIN.app(true).campaignsAt(NOW)).isFalse();
        assertThat(CampaignDecision.BEGIN.app(true).campaignUntil(NOW + 9).campaignsAt(NOW))
                .isFalse();
        assertThat(CampaignDecision.BEGIN.app(true).app(false).campaignsAt(NOW)).isTrue();
    }

    @Test
    void an_app_that_was_never_seen_proves_nothing() {
        assertThat(AppWatch.BEGIN.looked(Set.of()).sign()).isEqualTo(AppSign.UNKNOWN);
    }

    @Test
    void an_app_is_gone_when_the_last_of_its_processes_is() {
        var two = AppWatch.BEGIN.looked(Set.of(FIRST, new AppWatch.AppProcess(8, 101)));

        assertThat(two.looked(Set.of(FIRST)).sign()).isEqualTo(AppSign.LIVES);
        assertThat(two.looked(Set.of(FIRST)).looked(Set.of()).sign()).isEqualTo(AppSign.GONE);
        assertThat(two.looked(Set.of()).looked(Set.of(SECOND)).sign()).isEqualTo(AppSign.LIVES);
    }

    @Test
    void the_gate_opens_with_the_first_leader_or_after_ten_seconds() {
        var gate = StartGate.startedAt(NOW);

        assertThat(gate.isOpenAt(NOW + 9_999_999_999L)).isFalse();
        assertThat(gate.isOpenAt(NOW + 10_000_000_000L)).isTrue();
        assertThat(gate.seen(false).isOpenAt(NOW)).isFalse();
        assertThat(gate.seen(true).seen(false).isOpenAt(NOW)).isTrue();
    }
}
