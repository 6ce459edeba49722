package dev.doyen.hub.step;

import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.hub.Hub;
import dev.doyen.hub.rest.RestAnswer;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.List;
import java.util.Optional;

/** An effect of the hub. The driver carries effects out in the given order. */
public sealed interface HubEffect
        permits HubEffect.Send,
                HubEffect.FanOut,
                HubEffect.Answer,
                HubEffect.Close,
                HubEffect.Claim,
                HubEffect.Release,
                HubEffect.SteppedDown,
                HubEffect.Save,
                NodeEffect {

    /** One method per effect, so that the compiler reports a missing case. */
    interface Cases {
        void send(Send effect);

        void fanOut(FanOut effect);

        void answer(Answer effect);

        void close(Close effect);

        void claim(Claim effect);

        void release(Release effect);

        void steppedDown(SteppedDown effect);

        void save(Save effect);

        /** Only nodes have such effects. A single hub has none. */
        void amongNodes(NodeEffect effect);
    }

    void accept(Cases cases);

    /** Writes one frame to one session, in that session's format. */
    record Send(SessionId session, ProtocolMessage message) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.send(this);
        }
    }

    /** Writes one frame to many sessions. The driver encodes it once per format and shares the bytes. */
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
     * Flushes the session's frames, then closes its socket with code 1000. The driver does not call {@code socketLost}.
     */
    record Close(SessionId session) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.close(this);
        }
    }

    /**
     * Tries once to acquire the lease of a slot.
     *
     * <p>The driver calls exactly one of {@link Hub#claimGranted}, {@link Hub#claimRefused} and
     * {@link Hub#claimPaused}, unless a {@link Release} for the same claimant comes first.
     */
    record Claim(Claimant claimant) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.claim(this);
        }
    }

    /** Releases the lease, or stops the attempt to acquire it. The member has stopped leading. */
    record Release(Claimant claimant) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.release(this);
        }
    }

    /**
     * Reports the result of an admin command.
     *
     * @param order the number of the command
     * @param former the former holder and its term; empty if nobody held the slot
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
     * it does not.
     *
     * @param term the term in which the claimant holds the lease
     * @param number rises from 1 in every term
     */
    record Save(Claimant claimant, long term, long number, SavedState state) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.save(this);
        }
    }
}
