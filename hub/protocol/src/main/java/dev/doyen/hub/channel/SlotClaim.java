package dev.doyen.hub.channel;

import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.ErrorCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The claim on one numbered slot: its holder, term and saved state. */
public final class SlotClaim {

    public final Slot slot;

    private final String channel;
    private @Nullable Connection holderConnection;
    private @Nullable String holderClientId;
    private String lastClientId = "";
    private long term;

    private Reservation reservation = Reservation.NONE;

    /**
     * Restricts the claimants of the slot after an admin command (rule C16).
     *
     * @param onlyFor the only client that may claim; empty if any client may
     * @param notFor a client that may not claim; empty for none
     * @param forNanos duration, from the time at which the slot is free
     */
    public record Reservation(String onlyFor, String notFor, long untilNanos, long forNanos) {
        static final Reservation NONE = new Reservation("", "", 0, 0);

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

    /** A former holder that may not have received its claim's end yet (rule C19). */
    public static final class Silence {
        public final Claimant former;
        /** Whether the hub still has to release the lease. */
        public final boolean releases;

        public Timers.@Nullable Timer end;

        public Silence(Claimant former, boolean releases) {
            this.former = former;
            this.releases = releases;
        }
    }

    /** Nobody gets the slot while this is set. */
    @Nullable
    public Silence silence;

    /** Saves that the store has not confirmed, in order. */
    public final Deque<Save> saves = new ArrayDeque<>();

    /** The state that the holder received, or has saved since. */
    public SavedState state = SavedState.EMPTY;

    private long lastSave;

    /** Whether the log contains the holder's claim. Before that, its member's data need not claim. */
    private boolean known;

    /** A save that the store has not confirmed. Its message waits for the answer. */
    public static final class Save {
        public final long number;
        public final Receipt receipt;
        public final SavedState state;

        /**
         * Set until the message is answered. After a timeout the save stays here, because the store may still store it.
         */
        public Timers.@Nullable Timer timeout;

        public Save(long number, Receipt receipt, SavedState state) {
            this.number = number;
            this.receipt = receipt;
            this.state = state;
        }
    }

    /** The ttl that the holder promised when it claimed (rule C7); empty for none. */
    public OptionalLong promisedMillis = OptionalLong.empty();

    /** Ends the claim when the holder's promise is over (rule C7). */
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
        return isHeldBy(connection) && clientId != null && clientId.equals(holderClientId);
    }

    /** The holder's client id; empty if the slot is free. */
    public String holderClientId() {
        return holderClientId == null ? "" : holderClientId;
    }

    /** The current or last holder; empty if there was none. The number stays with that client (rule C14). */
    String lastClientId() {
        return lastClientId;
    }

    public Reservation reservation() {
        return reservation;
    }

    public void reserve(Reservation next) {
        reservation = next;
    }

    /** The current or last term; 0 if there was none. */
    public long term() {
        return term;
    }

    public Optional<Leader> leader() {
        return isHeld() ? Optional.of(new Leader(holderClientId(), term)) : Optional.empty();
    }

    @Nullable
    public Member holder(Channel of) {
        return holderConnection == null || holderClientId == null ? null : of.member(holderConnection, holderClientId);
    }

    /** The holder's socket; null if it has none now. */
    @Nullable
    public SessionId session() {
        return holderConnection == null ? null : holderConnection.session;
    }

    public void hold(Connection connection, String clientId, long newTerm, SavedState left) {
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

    /** Records that the log contains this claim. */
    public void know(Connection connection, String clientId, long ofTerm) {
        known |= isHeldBy(connection, clientId) && term == ofTerm;
    }

    /** The holder's connection; null if the slot is free. */
    @Nullable
    public Connection holderConnection() {
        return holderConnection;
    }

    /** Returns the number of the next save. It rises from 1 in each term. */
    public long nextSave() {
        return ++lastSave;
    }

    /** Returns the holder. Errors: {@link IllegalStateException} if the slot is free. */
    public Claimant claimant() {
        if (holderConnection == null || holderClientId == null) {
            throw new IllegalStateException("nobody holds " + slot + " of channel " + channel);
        }
        return new Claimant(channel, slot, holderClientId, holderConnection.id);
    }

    /** Ends the claim. The caller decides whether to add a {@code Release}. */
    public Claimant end(StepContext step, Timers timers) {
        Claimant former = claimant();
        holderConnection = null;
        holderClientId = null;
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
                                "you hold " + slot + " no more; whether the state was stored is not known"));
            }
        }
        return former;
    }
}
