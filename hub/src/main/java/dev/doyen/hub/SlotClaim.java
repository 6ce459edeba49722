package dev.doyen.hub;

import dev.doyen.event.HandOverState;
import dev.doyen.event.Leader;
import dev.doyen.hub.wire.ErrorCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The claim on one numbered slot of a channel: who holds it, and in which term. */
final class SlotClaim {

    final Slot slot;

    private final String channel;
    private @Nullable Connection holderConnection;
    private @Nullable String holderClientId;
    private String lastClientId = "";
    private long term;

    private Reservation reservation = Reservation.NONE;

    /**
     * What an admin's order leaves behind (rule C16).
     *
     * @param onlyFor who alone may claim; empty for anybody
     * @param notFor who may not; empty for nobody
     * @param forNanos how long it is good, from when the slot can be had
     */
    record Reservation(String onlyFor, String notFor, long untilNanos, long forNanos) {
        static final Reservation NONE = new Reservation("", "", 0, 0);

        Reservation from(long nanos) {
            return equals(NONE) ? NONE : new Reservation(onlyFor, notFor, nanos + forNanos, forNanos);
        }

        boolean excludes(String clientId, long nowNanos) {
            return untilNanos - nowNanos > 0
                    && (clientId.equals(notFor) || (!onlyFor.isEmpty() && !clientId.equals(onlyFor)));
        }

        boolean isFor(String clientId, long nowNanos) {
            return untilNanos - nowNanos > 0 && clientId.equals(onlyFor);
        }
    }

    /** Who held it until the hub took it away, and may not have heard that yet (rule C19). */
    static final class Silence {
        final Claimant former;
        /** Whether its lease is still to be given back. */
        final boolean releases;

        Timers.@Nullable Timer end;

        Silence(Claimant former, boolean releases) {
            this.former = former;
            this.releases = releases;
        }
    }

    /** While this lasts, nobody gets the slot. */
    @Nullable
    Silence silence;

    /** Saves that the store has not confirmed yet, in order. */
    final Deque<Save> saves = new ArrayDeque<>();

    /** What the holder was told, or has saved since. */
    HandOverState state = HandOverState.EMPTY;

    private long lastSave;

    /** Whether the log says already that the holder claims: until then its member need not. */
    private boolean known;

    /** A save on its way to the store, whose message waits for its answer. */
    static final class Save {
        final long number;
        final Receipt receipt;
        final HandOverState state;

        /** Set until the message has its answer; a save that the store may still keep stays known without. */
        Timers.@Nullable Timer timeout;

        Save(long number, Receipt receipt, HandOverState state) {
            this.number = number;
            this.receipt = receipt;
            this.state = state;
        }
    }

    /** How often the holder promised to be heard when it claimed (rule C7); empty if it did not. */
    OptionalLong promisedMillis = OptionalLong.empty();

    /** Watches over the holder's promise to be heard (rule C7). */
    Timers.@Nullable Timer beat;

    SlotClaim(String channel, Slot slot) {
        this.channel = channel;
        this.slot = slot;
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

    /** Who holds it, or held it last; empty if nobody did. A number is kept for that client (rule C14). */
    String lastClientId() {
        return lastClientId;
    }

    Reservation reservation() {
        return reservation;
    }

    void reserve(Reservation next) {
        reservation = next;
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

    /** The holder's socket; null if it has none just now. */
    @Nullable
    SessionId session() {
        return holderConnection == null ? null : holderConnection.session;
    }

    void hold(Connection connection, String clientId, long newTerm, HandOverState left) {
        if (isHeld() || newTerm <= term) {
            throw new IllegalStateException(slot + " of channel " + channel + " cannot pass to term " + newTerm
                    + " while term " + term + " is in force");
        }
        holderConnection = connection;
        holderClientId = clientId;
        lastClientId = clientId;
        reservation = Reservation.NONE;
        term = newTerm;
        state = left;
        lastSave = 0;
        known = false;
    }

    boolean isKnown() {
        return known;
    }

    /** The log has come to where this claim is made. */
    void know(Connection connection, String clientId, long ofTerm) {
        known |= isHeldBy(connection, clientId) && term == ofTerm;
    }

    /** Whose claim it is: nobody's if it is not held. */
    @Nullable
    Connection holderConnection() {
        return holderConnection;
    }

    /** The numbers of a claim's saves rise from 1. */
    long nextSave() {
        return ++lastSave;
    }

    /** Who holds it. */
    Claimant claimant() {
        if (holderConnection == null || holderClientId == null) {
            throw new IllegalStateException("nobody holds " + slot + " of channel " + channel);
        }
        return new Claimant(channel, slot, holderClientId, holderConnection.id);
    }

    /** The holder no longer holds it. Whether a {@code Release} is owed depends on who ended it. */
    Claimant end(Turn turn, Timers timers) {
        Claimant former = claimant();
        holderConnection = null;
        holderClientId = null;
        state = HandOverState.EMPTY;
        if (beat != null) {
            timers.cancel(beat);
            beat = null;
        }
        while (!saves.isEmpty()) {
            Save save = saves.remove();
            if (save.timeout != null) {
                timers.cancel(save.timeout);
                save.timeout = null;
                save.receipt.nack(
                        turn,
                        ErrorCode.FENCED.because(
                                "you hold " + slot + " no more; whether the state was stored is not known"));
            }
        }
        return former;
    }
}
