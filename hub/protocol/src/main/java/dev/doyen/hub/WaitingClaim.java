package dev.doyen.hub;

import dev.doyen.event.Leader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A PRESENCE frame that waits unacknowledged until its claim is decided (rule C3). */
final class WaitingClaim {

    final PresenceFrame frame;
    final Receipt receipt;
    final String clientId;
    final String slotName;

    /** Numbers that the store has rejected, each with its holder if reported. */
    final Map<Integer, Optional<Leader>> refused = new LinkedHashMap<>();

    /** The claim about which the store is being asked; null if it is not. */
    @Nullable
    Claimant asked;

    Timers.@Nullable Timer timeout;
    /** Set while the hub waits before it asks the store again. */
    Timers.@Nullable Timer again;

    WaitingClaim(PresenceFrame frame, Receipt receipt, String clientId, String slotName) {
        this.frame = frame;
        this.receipt = receipt;
        this.clientId = clientId;
        this.slotName = slotName;
    }

    Channel channel() {
        return frame.channel();
    }

    Connection connection() {
        return frame.connection();
    }
}
