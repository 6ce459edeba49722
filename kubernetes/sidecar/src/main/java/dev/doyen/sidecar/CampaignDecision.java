package dev.doyen.sidecar;

import java.util.OptionalLong;

/**
 * Decides whether the candidate campaigns. This decision does not consider the health, which the candidate itself
 * checks. Immutable.
 *
 * @param appEnded true if the app was found running and has ended
 * @param onlyOnRequest true if the app has sent a campaign or withdraw command over HTTP; from then on the candidate
 *     campaigns only on request
 * @param campaignUntil the time until which the candidate campaigns at the request of the app, by {@link
 *     System#nanoTime}
 */
public record CampaignDecision(boolean appEnded, boolean onlyOnRequest, OptionalLong campaignUntil) {

    /** The initial state, in which the candidate campaigns. */
    public static final CampaignDecision BEGIN = new CampaignDecision(false, false, OptionalLong.empty());

    /** Returns the decision after a check of the app. */
    public CampaignDecision app(boolean ended) {
        return new CampaignDecision(ended, onlyOnRequest, campaignUntil);
    }

    /**
     * Returns the decision after a campaign command.
     *
     * @param nanos the end of the requested time, by {@link System#nanoTime}
     */
    public CampaignDecision campaignUntil(long nanos) {
        return new CampaignDecision(appEnded, true, OptionalLong.of(nanos));
    }

    /** Returns the decision after a withdraw command. */
    public CampaignDecision withdraw() {
        return new CampaignDecision(appEnded, true, OptionalLong.empty());
    }

    /** Returns true if the candidate campaigns at {@code now}, by {@link System#nanoTime}. */
    public boolean campaignsAt(long now) {
        boolean requested = !onlyOnRequest || (campaignUntil.isPresent() && campaignUntil.getAsLong() - now > 0);
        return requested && !appEnded;
    }
}
