package dev.doyen.hub;

import dev.doyen.event.HandOverState;
import dev.doyen.event.Leader;
import dev.doyen.hub.rest.RestAnswer;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.List;
import java.util.Optional;

/** What the hub wants done. The shell carries effects out in the order given. */
public sealed interface HubEffect
        permits HubEffect.Send,
                HubEffect.FanOut,
                HubEffect.Answer,
                HubEffect.Close,
                HubEffect.Claim,
                HubEffect.Release,
                HubEffect.Deposed,
                HubEffect.Save,
                NodeEffect {

    /** One method per effect, so that a case forgotten does not compile. */
    interface Cases {
        void send(Send effect);

        void fanOut(FanOut effect);

        void answer(Answer effect);

        void close(Close effect);

        void claim(Claim effect);

        void release(Release effect);

        void deposed(Deposed effect);

        void save(Save effect);

        /** Only a hub that was made as a node of several has any. */
        void amongNodes(NodeEffect effect);
    }

    void accept(Cases cases);

    /** Write one frame to one session, in that session's format. */
    record Send(SessionId session, ProtocolMessage message) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.send(this);
        }
    }

    /** Write the same frame to many sessions: encode it once per format, share the bytes. */
    record FanOut(List<SessionId> sessions, ProtocolMessage message) implements HubEffect {
        public FanOut {
            sessions = List.copyOf(sessions);
        }

        @Override
        public void accept(Cases cases) {
            cases.fanOut(this);
        }
    }

    /** Answer a request. */
    record Answer(long requestId, RestAnswer answer) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.answer(this);
        }
    }

    /** Flush what was sent to this session, then close its socket with code 1000. No {@code socketLost} is owed. */
    record Close(SessionId session) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.close(this);
        }
    }

    /**
     * Try once to win the channel's lease for this member. Exactly one of {@link Hub#claimGranted} and
     * {@link Hub#claimRefused} is owed in return, unless a {@link Release} for the same claimant comes first.
     */
    record Claim(Claimant claimant) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.claim(this);
        }
    }

    /** The member no longer leads, and has stopped: release the lease, or give up trying for it. */
    record Release(Claimant claimant) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.release(this);
        }
    }

    /**
     * What became of an order.
     *
     * @param order the number it came with
     * @param former who held the slot, and in which term; empty if nobody did
     */
    record Deposed(long order, Deposition.Outcome outcome, Optional<Leader> former) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.deposed(this);
        }
    }

    /**
     * Keep this in the claimant's lease. {@link Hub#stateSaved} is owed once the store has it, or a later one; if the
     * claim ends first, nothing is.
     *
     * @param term in which the claimant holds the lease
     * @param number rises from 1 in every term
     */
    record Save(Claimant claimant, long term, long number, HandOverState state) implements HubEffect {
        @Override
        public void accept(Cases cases) {
            cases.save(this);
        }
    }
}
