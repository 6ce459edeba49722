package dev.doyen.event;

import java.time.Duration;
import java.util.Optional;

/**
 * An event of an election, for one candidate or observer.
 *
 * <p>A participant receives its events in order, one at a time, each exactly once (rule L9). The events of one
 * candidate repeat in the order {@code Elected (Jeopardy Recovered?)* Lost}. So a {@code Lost} event always occurs
 * between two {@code Elected} events. {@code Overlapped} can occur after {@code Lost}, and {@code LeaderChanged} can
 * occur at any time.
 */
public sealed interface ElectionEvent {

    /**
     * A visitor with one method for each event. The compiler finds a missing case. Java 17 has no pattern switch, which
     * would do the same.
     */
    interface Cases {
        void elected(Elected event);

        void jeopardy(Jeopardy event);

        void recovered(Recovered event);

        void lost(Lost event);

        void overlapped(Overlapped event);

        void leaderChanged(LeaderChanged event);
    }

    void accept(Cases cases);

    /**
     * This candidate leads in {@code term}. The {@code state} is the last state that an earlier leader saved, or an
     * empty state.
     */
    record Elected(long term, SavedState state) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.elected(this);
        }
    }

    /**
     * A renewal has failed. The candidate leads for at most {@code remaining}, unless a later renewal succeeds.
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

    /**
     * This candidate has lost the leadership. Normally, the candidate then campaigns again. It does not campaign while
     * it or the election is paused, while its health check forbids this, after its task has ended, or after it was
     * closed.
     */
    record Lost(long term, LossCause cause) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.lost(this);
        }
    }

    /**
     * Work of {@code term} was still running when this process observed {@code by} as the leader.
     *
     * <p>The work did not stop at the end of its term. The event occurs at most once per term, after {@link Lost}.
     * Only the fencing token protects the resources that both leaders write to.
     */
    record Overlapped(long term, Leader by) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.overlapped(this);
        }
    }

    /**
     * The leader has changed; {@code leader} is empty if no leader is known. When a participant observes that a lease
     * has expired, it reports that no leader is known.
     */
    record LeaderChanged(Optional<Leader> leader) implements ElectionEvent {
        @Override
        public void accept(Cases cases) {
            cases.leaderChanged(this);
        }
    }
}
