package dev.doyen.hub.claim;

import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Demotion;
import dev.doyen.hub.channel.SlotClaim;
import dev.doyen.hub.step.StepContext;
import java.util.ArrayList;
import java.util.List;

/** Lists the claims, and ends them at the shutdown of the hub (rule C20). */
public final class Retirement {

    private final Channels channels;
    private final Claims claims;

    public Retirement(Channels channels, Claims claims) {
        this.channels = channels;
        this.claims = claims;
    }

    public List<HeldClaim> held() {
        var held = new ArrayList<HeldClaim>();
        for (Channel channel : channels.all()) {
            for (SlotClaim claim : channel.claims.held()) {
                held.add(new HeldClaim(claim.claimant(), claim.session()));
            }
        }
        // These claims have ended, but perhaps their holders have not stopped yet (rule C19).
        for (SlotClaim.Silence silence : claims.silences()) {
            held.add(new HeldClaim(silence.former, null));
        }
        return held;
    }

    /** Ends all claims and sends the reason to the holders. This method releases no lease. */
    public void begin(StepContext step) {
        for (Channel channel : List.copyOf(channels.all())) {
            for (SlotClaim claim : channel.claims.held()) {
                claims.end(step, channel, claim, new Demotion("the hub is shutting down", ""), false);
            }
        }
    }
}
