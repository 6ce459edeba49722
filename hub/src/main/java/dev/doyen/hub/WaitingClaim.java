package dev.doyen.hub;

import org.jspecify.annotations.Nullable;

/** A PRESENCE frame that claims, and waits unacknowledged until its claim is decided (rule C3). */
final class WaitingClaim {

    final PresenceFrame frame;
    final Receipt receipt;
    final Claimant claimant;
    /** Whether the store is being asked. */
    boolean asked;

    Timers.@Nullable Timer timeout;

    WaitingClaim(PresenceFrame frame, Receipt receipt, Claimant claimant) {
        this.frame = frame;
        this.receipt = receipt;
        this.claimant = claimant;
    }

    Channel channel() {
        return frame.channel();
    }

    Connection connection() {
        return frame.connection();
    }
}
