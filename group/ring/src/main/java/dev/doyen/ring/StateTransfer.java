package dev.doyen.ring;

import dev.doyen.event.SavedState;
import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect.Send;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RoundState.Win;
import java.util.Optional;

/** Sends the leader's saved state to all members and to the next leader (T1-T5). */
final class StateTransfer {

    private final RingStepContext step;

    StateTransfer(RingStepContext step) {
        this.step = step;
    }

    /**
     * Saves a state in this term, if this member leads in it (rule T1).
     *
     * @return true if a heartbeat must send the state at once; false if the state was not saved, or if a heartbeat with
     *     an earlier state has not returned yet
     */
    boolean save(long term, long version, SavedState state) {
        LeaderState leaderState = step.leaderState;
        if (leaderState == null
                || leaderState.term().counter() != term
                || version <= step.saved.id().version()) {
            return false;
        }
        step.saved = new VersionedState(new VersionedState.Id(leaderState.term(), version), state);
        step.leaderState = leaderState.withUnconfirmedState();
        return !leaderState.sendsState();
    }

    /** Stores the saved state of a heartbeat, if this member's state is older (rule T2). */
    void received(RingMessage.OfLeader heartbeat) {
        heartbeat.saved().ifPresent(saved -> step.saved = step.saved.orNewer(saved));
    }

    /**
     * Completes the saves up to this state (rule T3). A heartbeat with this state has passed all members.
     *
     * @return true if a heartbeat must send a newer state at once
     */
    boolean returned(VersionedState.Id state) {
        LeaderState leaderState = step.leaderState;
        if (leaderState == null || !leaderState.sendsState()) {
            return false;
        }
        if (state.version() > 0) {
            step.effect(new RingEffect.Saved(state.version()));
        }
        if (state.equals(step.saved.id())) {
            step.leaderState = leaderState.withConfirmedState();
            return false;
        }
        return true;
    }

    /**
     * Requests the newest saved state, unless this winner already stores it (rule T4).
     *
     * @return true if the winner must wait for the state before it leads
     */
    boolean awaits(RoundState round, Win win) {
        VersionedState.Location newest = win.passed().newest();
        RingPosition position = step.position;
        Member holder = newest.holder();
        if (position == null || holder == null || !newest.id().isAfter(step.saved.id())) {
            return false;
        }
        step.round = round.awaitingState(win);
        step.effect(
                new Send(holder, new RingMessage.StateRequest(position.view().id())));
        return true;
    }

    /** Sends this member's saved state to the winner of a round. */
    void requested(Member from, RingMessage.StateRequest request) {
        RingPosition position = step.position;
        if (position == null
                || !position.view().id().equals(request.view())
                || !position.view().has(from)) {
            step.drop(from, request, Why.PAST);
            return;
        }
        step.effect(new Send(from, new RingMessage.StateResponse(request.view(), step.saved)));
    }

    /**
     * Processes the answer for which the winner of a round waits.
     *
     * @return the win that waited for this answer; empty if no win waits for this answer
     */
    Optional<Win> answered(Member from, RingMessage.StateResponse response) {
        RingPosition position = step.position;
        RoundState round = step.round;
        Win win = round == null ? null : round.awaiting();
        if (position == null
                || win == null
                || !position.view().id().equals(response.view())
                || !from.equals(win.passed().newest().holder())
                || win.passed().newest().id().isAfter(response.saved().id())) {
            step.drop(from, response, Why.PAST);
            return Optional.empty();
        }
        step.saved = step.saved.orNewer(response.saved());
        return Optional.of(win);
    }
}
