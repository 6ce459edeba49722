package dev.doyen.event;

import java.time.Duration;
import java.util.Optional;

/**
 * An event of an election, for one candidate or observer.
 *
 * <p>Events come in order, one at a time, each exactly once (rule L9). For one candidate they follow
 * {@code Elected (Jeopardy Recovered?)* Lost}, again and again. So between two {@code Elected} there is always a
 * {@code Lost}. {@code LeaderChanged} may come at any time.
 */
public sealed interface ElectionEvent {

    /** One method per event, so that a missing case does not compile. Java 17 has no pattern switch. */
    interface Cases {
        void elected(Elected event);

        void jeopardy(Jeopardy event);

        void recovered(Recovered event);

        void lost(Lost event);

        void overlapped(Overlapped event);

        void leaderChanged(LeaderChanged event);
    }

    void accept(Cases cases);

    /** This candidate leads in {@code term}, with the state that earlier leaders saved. */
    record Elected(long term, SavedState state) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.elected(this);
        }
    }

    /**
     * A renewal has failed. The candidate leads safely for at most {@code remaining}, unless another renewal succeeds.
     */
    record Jeopardy(long term, Duration remaining, String reason) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.jeopardy(this);
        }
    }

    /** A renewal has succeeded after {@link Jeopardy}. */
    record Recovered(long term) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.recovered(this);
        }
    }

    /** This candidate has lost the leadership. It stays a candidate unless it was closed. */
    record Lost(long term, LossCause cause) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.lost(this);
        }
    }

    /**
     * Work of {@code term} was still running when {@code by} was seen to lead.
     *
     * <p>The work has ignored the end of its term. The event comes at most once, after {@link Lost}. Only the fencing
     * token protects the resources that both leaders write to.
     */
    record Overlapped(long term, Leader by) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.overlapped(this);
        }
    }

    /** The leader has changed; empty if no leader is known. A lease that was seen to expire has no leader. */
    record LeaderChanged(Optional<Leader> leader) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.leaderChanged(this);
        }
    }
}
