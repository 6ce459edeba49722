package dev.doyen.hub;

import dev.doyen.event.Leader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One channel's claim: who holds it, in which term, and who waits for it. The first of those who wait is the one the
 * store is asked about.
 */
final class ChannelClaim {

    final Deque<WaitingClaim> waiting = new ArrayDeque<>();

    private final String channel;
    private @Nullable Connection holderConnection;
    private @Nullable String holderClientId;
    private long term;

    /** Watches over the holder's promise to be heard (rule C7). */
    Timers.@Nullable Timer beat;

    ChannelClaim(String channel) {
        this.channel = channel;
    }

    boolean isBusy() {
        return isHeld() || !waiting.isEmpty();
    }

    boolean isHeld() {
        return holderConnection != null;
    }

    boolean isHeldBy(Connection connection) {
        return holderConnection == connection;
    }

    boolean isHeldBy(Connection connection, @Nullable String clientId) {
        return isHeldBy(connection) && clientId != null && clientId.equals(holderClientId);
    }

    /** The holder's client id; empty if nobody holds the claim. */
    String holderClientId() {
        return holderClientId == null ? "" : holderClientId;
    }

    /** The term in force, or the last one that was; 0 if none is known. */
    long term() {
        return term;
    }

    Optional<Leader> leader() {
        return isHeld() ? Optional.of(new Leader(holderClientId(), term)) : Optional.empty();
    }

    @Nullable
    Member holder(Channel of) {
        return holderConnection == null || holderClientId == null ? null : of.member(holderConnection, holderClientId);
    }

    void hold(Connection connection, String clientId, long newTerm) {
        if (isHeld() || newTerm <= term) {
            throw new IllegalStateException(
                    "channel " + channel + " cannot pass to term " + newTerm + " while term " + term + " is in force");
        }
        holderConnection = connection;
        holderClientId = clientId;
        term = newTerm;
    }

    /** The holder no longer leads. Whether a {@code Release} is owed depends on who ended it. */
    Claimant end(Timers timers) {
        if (holderConnection == null || holderClientId == null) {
            throw new IllegalStateException("nobody holds the claim on channel " + channel);
        }
        var former = new Claimant(channel, holderClientId, holderConnection.id);
        holderConnection = null;
        holderClientId = null;
        if (beat != null) {
            timers.cancel(beat);
            beat = null;
        }
        return former;
    }
}
