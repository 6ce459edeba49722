package dev.doyen.event;

import java.time.Duration;
import java.util.Optional;

/**
 * What a candidate or an observer is told, in order, never overlapping, each exactly once (rule L9).
 *
 * <p>For one candidate the events follow {@code Elected (Jeopardy Recovered?)* Lost}, again and again:
 * between two {@code Elected} there is always a {@code Lost}. {@code LeaderChanged} may stand anywhere between them.
 */
public sealed interface ElectionEvent {

    /** One method per event, so that a case forgotten does not compile (Java 17 has no pattern switch). */
    interface Cases {
        void elected(Elected event);

        void jeopardy(Jeopardy event);

        void recovered(Recovered event);

        void lost(Lost event);

        void overlapped(Overlapped event);

        void leaderChanged(LeaderChanged event);
    }

    void accept(Cases cases);

    /** This candidate leads from now on, in {@code term}, and takes up the state its predecessors left. */
    record Elected(long term, HandOverState state) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.elected(this);
        }
    }

    /** A renewal was missed. Still the leader, and safely so, for {@code remaining} at most unless one succeeds. */
    record Jeopardy(long term, Duration remaining, String reason) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.jeopardy(this);
        }
    }

    /** A renewal succeeded after {@link Jeopardy}. */
    record Recovered(long term) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.recovered(this);
        }
    }

    /** This candidate no longer leads. It stays a candidate unless it was closed. */
    record Lost(long term, LossCause cause) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.lost(this);
        }
    }

    /**
     * Work done under {@code term} had not stopped when another was already seen to lead: it ignored the end of its
     * term. Told once, after {@link Lost}; only the fencing token protects what both write to.
     */
    record Overlapped(long term, Leader by) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.overlapped(this);
        }
    }

    /** Another leader is known, or none is: a lease seen to have run out names nobody. */
    record LeaderChanged(Optional<Leader> leader) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.leaderChanged(this);
        }
    }
}
