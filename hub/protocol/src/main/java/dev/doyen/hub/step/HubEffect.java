package dev.doyen.hub.step;

import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.hub.Hub;
import dev.doyen.hub.auth.Revocation;
import dev.doyen.hub.rest.RestAnswer;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.List;
import java.util.Optional;

/** An effect of the hub. The driver performs effects in the given order. */
public sealed interface HubEffect
        permits HubEffect.Send,
                HubEffect.FanOut,
                HubEffect.Answer,
                HubEffect.Close,
                HubEffect.AwaitFlush,
                HubEffect.Claim,
                HubEffect.Release,
                HubEffect.SteppedDown,
                HubEffect.Save,
                HubEffect.StoreRevocations,
                NodeEffect {

    /** A visitor with one method per effect, so that the compiler reports a missing case. */
    interface Cases {
        void send(Send effect);

        void fanOut(FanOut effect);

        void answer(Answer effect);

        void close(Close effect);

        void awaitFlush(AwaitFlush effect);

        void claim(Claim effect);

        void release(Release effect);

        void steppedDown(SteppedDown effect);

        void save(Save effect);

        void storeRevocations(StoreRevocations effect);

        /** Handles an effect on the state that several nodes share. A hub with a single node returns no such effect. */
        void amongNodes(NodeEffect effect);
    }

    void accept(Cases cases);

    /** Writes one frame to one session in the format of that session. */
    record Send(SessionId session, ProtocolMessage message) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.send(this);
        }
    }

    /** Writes one frame to many sessions. The driver encodes the frame once per format and shares the bytes. */
    record FanOut(List<SessionId> sessions, ProtocolMessage message) implements HubEffect {
        public FanOut {
            sessions = List.copyOf(sessions);
        }

        @Override
        public void accept(Cases cases) {
            cases.fanOut(this);
        }
    }

    /** Answers an HTTP request. */
    record Answer(long requestId, RestAnswer answer) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.answer(this);
        }
    }

    /**
     * Flushes the session's frames, then closes its socket with code 1000. The driver does not call {@code socketLost}
     * for this close.
     */
    record Close(SessionId session) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.close(this);
        }
    }

    /**
     * Asks the driver for a report after the session's socket has taken all earlier frames.
     *
     * <p>The report is a call of {@link Hub#flushed}. If the socket closes first, the driver sends no report.
     */
    record AwaitFlush(SessionId session) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.awaitFlush(this);
        }
    }

    /**
     * Tries once to acquire the lease of a slot.
     *
     * <p>The driver calls exactly one of {@link Hub#claimGranted}, {@link Hub#claimRefused} and
     * {@link Hub#claimPaused}, unless a {@link Release} for the same claimant comes first. An outcome that the hub
     * receives after it has returned this {@link Release} decides no claim.
     */
    record Claim(Claimant claimant) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.claim(this);
        }
    }

    /**
     * Releases the lease, or stops the attempt to acquire it. The member has already stopped leading.
     *
     * <p>The driver does nothing if it has released this claimant already. A repeated release of one claimant does not
     * release the lease of a claimant with another {@link Claimant#attempt}.
     */
    record Release(Claimant claimant) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.release(this);
        }
    }

    /**
     * Replaces all stored revocations by these. The driver sends a later {@link Answer} only after the revocations are
     * stored. A hub with several nodes returns no such effect.
     */
    record StoreRevocations(List<Revocation> all) implements HubEffect {
        public StoreRevocations {
            all = List.copyOf(all);
        }

        @Override
        public void accept(Cases cases) {
            cases.storeRevocations(this);
        }
    }

    /**
     * Reports the result of an admin command.
     *
     * @param order the number of the command
     * @param former the former holder and its term; empty if the slot had no holder
     */
    record SteppedDown(long order, SlotStepDown.Outcome outcome, Optional<Leader> former) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.steppedDown(this);
        }
    }

    /**
     * Saves state in the claimant's lease.
     *
     * <p>The driver calls {@link Hub#stateSaved} when the store has this save or a later one. If the claim ends first,
     * the driver does not call the method.
     *
     * @param term the term in which the claimant holds the lease
     * @param number the number of the save, which rises from 1 in every term
     */
    record Save(Claimant claimant, long term, long number, SavedState state) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.save(this);
        }
    }
}
