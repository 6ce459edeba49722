package dev.doyen.simulator.invariants;

import dev.doyen.event.ElectionEvent;
import dev.doyen.lease.LeaseInput;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Checks that events have the order {@code elected (jeopardy recovered?)* lost} of rule L9.
 *
 * <ul>
 *   <li>All events of such a sequence have the same term.
 *   <li>No event follows the end of a candidate.
 *   <li>After {@code lost}, the event {@code overlapped} occurs at most once.
 *   <li>No term begins while work of an older term continues.
 *   <li>A candidate claims to lead only in a term whose {@code elected} event the listeners have received.
 * </ul>
 */
public final class EventsAlternate implements Witness {

    private static final String NAME = "EventsAlternate";

    private final Map<SimCandidate, EventState> states = new HashMap<>();
    private final Set<SimCandidate> ended = new HashSet<>();

    private static final class EventState {
        long leadingIn;
        long lostIn;
        boolean inJeopardy;
    }

    @Override
    public void onEvent(SimCandidate candidate, ElectionEvent event) {
        if (ended.contains(candidate)) {
            throw new Violation(NAME, candidate + " receives " + event + " after the end");
        }
        EventState state = states.computeIfAbsent(candidate, c -> new EventState());
        event.accept(new ElectionEvent.Cases() {
            @Override
            public void elected(ElectionEvent.Elected won) {
                require(state.leadingIn == 0, "without an earlier lost");
                require(candidate.work().map(work -> work.hasStopped()).orElse(true), "while older work continues");
                state.leadingIn = won.term();
                state.inJeopardy = false;
            }

            @Override
            public void jeopardy(ElectionEvent.Jeopardy doubt) {
                require(state.leadingIn == doubt.term(), "in another term");
                require(!state.inJeopardy, "twice");
                state.inJeopardy = true;
            }

            @Override
            public void recovered(ElectionEvent.Recovered found) {
                require(state.leadingIn == found.term(), "in another term");
                require(state.inJeopardy, "without an earlier jeopardy");
                state.inJeopardy = false;
            }

            @Override
            public void lost(ElectionEvent.Lost gone) {
                require(state.leadingIn == gone.term(), "without an earlier elected in this term");
                state.leadingIn = 0;
                state.lostIn = gone.term();
            }

            @Override
            public void overlapped(ElectionEvent.Overlapped late) {
                require(state.leadingIn == 0, "while leading");
                require(late.term() == state.lostIn, "in another term");
                state.lostIn = 0;
            }

            @Override
            public void leaderChanged(ElectionEvent.LeaderChanged change) {}

            private void require(boolean holds, String else_) {
                if (!holds) {
                    throw new Violation(NAME, candidate + " receives " + event + " " + else_);
                }
            }
        });
    }

    @Override
    public void stepped(SimCandidate candidate, LeaseInput input) {
        if (ended.contains(candidate)) {
            throw new Violation(NAME, candidate + " took " + input + " after the end");
        }
    }

    @Override
    public void claims(SimCandidate candidate) {
        EventState state = states.get(candidate);
        long term = candidate.state().leaderLease().orElseThrow().term();
        if (state == null || state.leadingIn != term) {
            throw new Violation(NAME, candidate + " claims term " + term + " without the event elected of this term");
        }
    }

    @Override
    public void ended(SimCandidate candidate) {
        ended.add(candidate);
    }
}
