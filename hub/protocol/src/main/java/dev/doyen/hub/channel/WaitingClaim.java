package dev.doyen.hub.channel;

import dev.doyen.event.Leader;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.Timers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A PRESENCE frame that waits for the decision on its claim (rule C3). */
public final class WaitingClaim {

    public final PresenceFrame frame;
    public final Receipt receipt;
    public final String clientId;
    public final String slotName;

    /** The slot numbers that the store has rejected, each with the holder that it reported. */
    public final Map<Integer, Optional<Leader>> refused = new LinkedHashMap<>();

    /** The claimant of the pending request to the store; null if no request is pending. */
    @Nullable
    public Claimant pendingClaimant;

    public Timers.@Nullable Timer timeout;
    /** The timer that is set while the hub waits before it asks the store again. */
    public Timers.@Nullable Timer again;

    public WaitingClaim(PresenceFrame frame, Receipt receipt, String clientId, String slotName) {
        this.frame = frame;
        this.receipt = receipt;
        this.clientId = clientId;
        this.slotName = slotName;
    }

    public Channel channel() {
        return frame.channel();
    }

    public Connection connection() {
        return frame.connection();
    }
}
