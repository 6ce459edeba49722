package dev.doyen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class CampaignDecisionTest {

    private static final long NOW = Math.addExact(Long.MAX_VALUE, -5);
    private static final AppWatch.AppProcess FIRST = new AppWatch.AppProcess(7, 100);
    private static final AppWatch.AppProcess SECOND = new AppWatch.AppProcess(7, 200);

    @Test
    void the_candidate_campaigns_until_a_reason_against_it() {
        assertThat(CampaignDecision.BEGIN.campaignsAt(NOW)).isTrue();
        assertThat(CampaignDecision.BEGIN.withdraw().campaignsAt(NOW)).isFalse();
    }

    @Test
    void after_a_first_request_it_campaigns_only_while_requests_are_repeated() {
        var requested = CampaignDecision.BEGIN.campaignUntil(NOW + 100);

        assertThat(requested.campaignsAt(NOW + 99)).isTrue();
        assertThat(requested.campaignsAt(NOW + 100)).isFalse();
        assertThat(requested.campaignUntil(NOW + 300).campaignsAt(NOW + 200)).isTrue();
    }

    @Test
    void it_does_not_campaign_for_an_app_that_has_ended() {
        assertThat(CampaignDecision.BEGIN.app(true).campaignsAt(NOW)).isFalse();
        assertThat(CampaignDecision.BEGIN.app(true).campaignUntil(NOW + 9).campaignsAt(NOW))
                .isFalse();
        assertThat(CampaignDecision.BEGIN.app(true).app(false).campaignsAt(NOW)).isTrue();
    }

    @Test
    void an_app_that_was_never_found_has_not_ended() {
        assertThat(AppWatch.BEGIN.observed(Set.of()).sign()).isEqualTo(AppSign.UNKNOWN);
    }

    @Test
    void an_app_has_ended_when_its_last_process_has_ended() {
        var two = AppWatch.BEGIN.observed(Set.of(FIRST, new AppWatch.AppProcess(8, 101)));

        assertThat(two.observed(Set.of(FIRST)).sign()).isEqualTo(AppSign.RUNNING);
        assertThat(two.observed(Set.of(FIRST)).observed(Set.of()).sign()).isEqualTo(AppSign.ENDED);
        assertThat(two.observed(Set.of()).observed(Set.of(SECOND)).sign()).isEqualTo(AppSign.RUNNING);
    }
}
