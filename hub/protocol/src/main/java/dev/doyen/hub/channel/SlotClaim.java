package dev.doyen.hub.channel;

import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.hub.content.ClaimData;
import dev.doyen.hub.quota.Resource;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.ErrorCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The claim on one numbered slot, with its holder, term and saved state. */
public final class SlotClaim {

    public final Slot slot;

    private final String channel;
    private @Nullable Connection holderConnection;
    private @Nullable Claimant claimant;
    private String lastClientId = "";
    private long term;

    private Reservation reservation = Reservation.NONE;

    /**
     * Limits which clients may claim the slot after an admin command (rule C16).
     *
     * @param onlyFor the only client that may claim; empty if the slot is reserved for no client
     * @param notFor the client that must not claim; empty if there is none
     * @param untilNanos the end of the reservation, in nanoseconds; {@link #from} sets it
     * @param forNanos the duration of the reservation in nanoseconds; the duration starts when the slot becomes free
     */
    public record Reservation(String onlyFor, String notFor, long untilNanos, long forNanos) {
        static final Reservation NONE = new Reservation("", "", 0, 0);

        /** Returns this reservation with its start at the given time, in nanoseconds. */
        public Reservation from(long nanos) {
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

    /** A former holder that has not confirmed the end of its claim (rule C19). */
    public static final class Silence {
        public final Claimant former;
        /** True if the hub still has to release the lease. */
        public final boolean releases;

        public Timers.@Nullable Timer end;

        public Silence(Claimant former, boolean releases) {
            this.former = former;
            this.releases = releases;
        }
    }

    /**
     * The former holder that has not confirmed the end of its claim; null if none. No client gets the slot while this
     * field is set.
     */
    @Nullable
    public Silence silence;

    /** The saves that the store has not confirmed, in order. */
    public final Deque<Save> saves = new ArrayDeque<>();

    /** The state that the holder received with its claim, or has saved since then. */
    public SavedState state = SavedState.EMPTY;

    private long lastSave;

    /**
     * True if the log contains the holder's claim. While this field is false, the claim can be missing from the
     * holder's data.
     */
    private boolean known;

    /** A save that the store has not confirmed. */
    public static final class Save {
        public final long number;
        public final Receipt receipt;
        public final SavedState state;

        /**
         * The timer that rejects the client's message if the store does not confirm in time. The field is null after
         * the hub has answered the message. After the timeout the save stays in the queue, because the store can still
         * complete it.
         */
        public Timers.@Nullable Timer timeout;

        public Save(long number, Receipt receipt, SavedState state) {
            this.number = number;
            this.receipt = receipt;
            this.state = state;
        }
    }

    /** The claim that the store has granted. The data can change in later frames of the holder. */
    private @Nullable ClaimData granted;

    /** The timer that ends the claim when the holder's promise ends (rule C7). */
    public Timers.@Nullable Timer beat;

    SlotClaim(String channel, Slot slot) {
        this.channel = channel;
        this.slot = slot;
    }

    public boolean isHeld() {
        return holderConnection != null;
    }

    boolean isHeldBy(Connection connection) {
        return holderConnection == connection;
    }

    boolean isHeldBy(Connection connection, @Nullable String clientId) {
        return isHeldBy(connection) && clientId != null && clientId.equals(holderClientId());
    }

    /** Returns the holder's client id, or an empty string if the slot is free. */
    public String holderClientId() {
        return claimant == null ? "" : claimant.clientId();
    }

    /**
     * Returns the client id of the current or last holder; empty if there was none. The hub prefers this slot number
     * for the next claim of that client (rule C14).
     */
    String lastClientId() {
        return lastClientId;
    }

    public Reservation reservation() {
        return reservation;
    }

    public void reserve(Reservation next) {
        reservation = next;
    }

    /** Returns the current or last term, or 0 if there was none. */
    public long term() {
        return term;
    }

    public Optional<Leader> leader() {
        return isHeld() ? Optional.of(new Leader(holderClientId(), term)) : Optional.empty();
    }

    @Nullable
    public Member holder(Channel of) {
        return holderConnection == null ? null : of.member(holderConnection, holderClientId());
    }

    /** Returns the holder's socket, or null if the holder has no socket now. */
    @Nullable
    public SessionId session() {
        return holderConnection == null ? null : holderConnection.session;
    }

    /**
     * Returns the holder's claim. If this node has not read the claiming frame from the log yet, the result is the
     * claim in that frame. The result is null if the slot has never been held.
     */
    public @Nullable ClaimData data(Channel of) {
        Member holder = holder(of);
        return holder == null || holder.claim == null ? granted : holder.claim;
    }

    public void hold(Connection connection, Claimant holder, @Nullable ClaimData claim, long newTerm, SavedState left) {
        if (isHeld() || newTerm <= term) {
            throw new IllegalStateException(slot + " of channel " + channel + " cannot pass to term " + newTerm
                    + " while term " + term + " is in force");
        }
        holderConnection = connection;
        connection.usage.add(Resource.CLAIMS, 1);
        claimant = holder;
        lastClientId = holder.clientId();
        reservation = Reservation.NONE;
        granted = claim;
        term = newTerm;
        state = left;
        lastSave = 0;
        known = false;
    }

    boolean isKnown() {
        return known;
    }

    /** Records that the log contains this claim. */
    public void markKnown(Connection connection, String clientId, long ofTerm) {
        known |= isHeldBy(connection, clientId) && term == ofTerm;
    }

    /** Returns the holder's connection, or null if the slot is free. */
    @Nullable
    public Connection holderConnection() {
        return holderConnection;
    }

    /** Returns the number of the next save. The numbers rise from 1 in each term. */
    public long nextSave() {
        return ++lastSave;
    }

    /** Returns the holder. Throws {@link IllegalStateException} if the slot is free. */
    public Claimant claimant() {
        if (claimant == null) {
            throw new IllegalStateException("nobody holds " + slot + " of channel " + channel);
        }
        return claimant;
    }

    /** Ends the claim. The caller decides whether the lease is released. */
    public Claimant end(StepContext step, Timers timers) {
        Claimant former = claimant();
        if (holderConnection != null) {
            holderConnection.usage.add(Resource.CLAIMS, -1);
        }
        holderConnection = null;
        claimant = null;
        state = SavedState.EMPTY;
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
                        step,
                        ErrorCode.FENCED.because(
                                "you hold " + slot + " no longer; the store may have written the state"));
            }
        }
        return former;
    }
}
