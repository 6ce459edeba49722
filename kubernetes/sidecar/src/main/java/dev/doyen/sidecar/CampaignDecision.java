package dev.doyen.sidecar;

import java.util.OptionalLong;

/**
 * Decides whether the candidate campaigns, apart from its health, which it checks itself. Immutable.
 *
 * @param appEnded whether the app was seen running and has ended
 * @param asked whether the app controls this over HTTP; from then on the candidate campaigns only on request
 * @param campaignUntil until when the app wants the candidate to campaign; {@link System#nanoTime}
 */
public record CampaignDecision(boolean appEnded, boolean asked, OptionalLong campaignUntil) {

    /** The initial state: the candidate campaigns. */
    public static final CampaignDecision BEGIN = new CampaignDecision(false, false, OptionalLong.empty());

    public CampaignDecision app(boolean ended) {
        return new CampaignDecision(ended, asked, campaignUntil);
    }

    public CampaignDecision campaignUntil(long nanos) {
        return new CampaignDecision(appEnded, true, OptionalLong.of(nanos));
    }

    public CampaignDecision withdraw() {
        return new CampaignDecision(appEnded, true, OptionalLong.empty());
    }

    public boolean campaignsAt(long now) {
        boolean wanted = !asked || (campaignUntil.isPresent() && campaignUntil.getAsLong() - now > 0);
        return wanted && !appEnded;
    }
}
