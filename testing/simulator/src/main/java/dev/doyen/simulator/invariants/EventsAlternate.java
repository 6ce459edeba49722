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
 * Checks the order of events, rule L9: {@code elected (jeopardy recovered?)* lost}.
 *
 * <ul>
 * <li>All events of such a sequence have the same term.
 * <li>No event follows the end of a candidate.
 * <li>After a loss, overlapped comes at most once.
 * <li>No term begins while work of an old one continues.
 * <li>A candidate claims to lead only in a term whose elected event listeners have received.
 * </ul>
 */
public final class EventsAlternate implements Witness {

    private static final String NAME = "EventsAlternate";

    private final Map<SimCandidate, Telling> tellings = new HashMap<>();
    private final Set<SimCandidate> ended = new HashSet<>();

    private static final class Telling {
        long leadingIn;
        long lostIn;
        boolean inJeopardy;
    }

    @Override
    public void onEvent(SimCandidate candidate, ElectionEvent event) {
        if (ended.contains(candidate)) {
            throw new Violation(NAME, candidate + " is told " + event + " after the end");
        }
        Telling telling = tellings.computeIfAbsent(candidate, c -> new Telling());
        event.accept(new ElectionEvent.Cases() {
            @Override
            public void elected(ElectionEvent.Elected won) {
                require(telling.leadingIn == 0, "without lost");
                require(candidate.work().map(work -> work.hasStopped()).orElse(true), "while older work goes on");
                telling.leadingIn = won.term();
                telling.inJeopardy = false;
            }

            @Override
            public void jeopardy(ElectionEvent.Jeopardy doubt) {
                require(telling.leadingIn == doubt.term(), "in another term");
                require(!telling.inJeopardy, "twice");
                telling.inJeopardy = true;
            }

            @Override
            public void recovered(ElectionEvent.Recovered found) {
                require(telling.leadingIn == found.term(), "in another term");
                require(telling.inJeopardy, "without jeopardy");
                telling.inJeopardy = false;
            }

            @Override
            public void lost(ElectionEvent.Lost gone) {
                require(telling.leadingIn == gone.term(), "without elected");
                telling.leadingIn = 0;
                telling.lostIn = gone.term();
            }

            @Override
            public void overlapped(ElectionEvent.Overlapped late) {
                require(telling.leadingIn == 0, "while leading");
                require(late.term() == telling.lostIn, "in another term");
                telling.lostIn = 0;
            }

            @Override
            public void leaderChanged(ElectionEvent.LeaderChanged change) {}

            private void require(boolean holds, String else_) {
                if (!holds) {
                    throw new Violation(NAME, candidate + " is told " + event + " " + else_);
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
        Telling telling = tellings.get(candidate);
        long term = candidate.state().leaderLease().orElseThrow().term();
        if (telling == null || telling.leadingIn != term) {
            throw new Violation(
                    NAME, candidate + " claims term " + term + ", but was not told that it is elected in it");
        }
    }

    @Override
    public void ended(SimCandidate candidate) {
        ended.add(candidate);
    }
}
