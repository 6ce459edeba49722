package dev.doyen.cli.operator;

import dev.doyen.cli.operator.ObservedElection.State;
import dev.doyen.elector.text.ElectionText;
import dev.doyen.elector.text.Spans;
import dev.doyen.event.Leader;
import java.time.Duration;
import java.util.Optional;

/**
 * The effect of an admin command, and the observation that proves the effect.
 *
 * <p>The parameter {@code nanos} is the present time, by {@link System#nanoTime}.
 */
public sealed interface AdminEffect {

    /** Returns the outcome; empty while the outcome is uncertain. */
    Optional<Outcome> seen(ObservedElection observed, long nanos);

    /**
     * Returns the outcome at the end of the wait, which lasted {@code waited}. Until then, {@link #seen} has returned
     * none.
     */
    Outcome overdue(ObservedElection observed, long nanos, Duration waited);

    /**
     * The outcome of a command.
     *
     * @param leader the present leader; empty if no candidate leads
     */
    record Outcome(boolean achieved, Optional<Leader> leader, String sentence) {}

    /** The effect that the leader {@code previous} steps down. The wait ends early when a later term has a leader. */
    record Resign(Leader previous) implements AdminEffect {
        @Override
        public Optional<Outcome> seen(ObservedElection observed, long nanos) {
            return follower(observed, nanos, previous)
                    .map(next -> new Outcome(true, Optional.of(next), leadsNow(next)));
        }

        @Override
        public Outcome overdue(ObservedElection observed, long nanos, Duration waited) {
            var leader = observed.leader(nanos);
            return leader.isPresent()
                    ? new Outcome(false, leader, stillLeads(leader.get(), waited))
                    : new Outcome(
                            true,
                            leader,
                            ElectionText.text(previous) + " no longer leads; nobody leads now"
                                    + ", and no candidate has taken over within " + Spans.text(waited));
        }
    }

    /** The effect that the leader {@code previous} hands over to the candidate {@code to}. */
    record Transfer(Leader previous, String to) implements AdminEffect {
        @Override
        public Optional<Outcome> seen(ObservedElection observed, long nanos) {
            return follower(observed, nanos, previous)
                    .map(next -> next.id().equals(to)
                            ? new Outcome(true, Optional.of(next), leadsNow(next))
                            : new Outcome(
                                    false,
                                    Optional.of(next),
                                    leadsNow(next) + ", because " + ElectionText.quoted(to)
                                            + " did not take over; is it running and healthy?"));
        }

        @Override
        public Outcome overdue(ObservedElection observed, long nanos, Duration waited) {
            var leader = observed.leader(nanos);
            return new Outcome(
                    false,
                    leader,
                    leader.map(still -> stillLeads(still, waited))
                            .orElse(ElectionText.text(previous) + " no longer leads, but " + ElectionText.quoted(to)
                                    + " has not taken over within " + Spans.text(waited) + ", nor has anybody"));
        }
    }

    /** The effect that the election has no leader. */
    record Pause() implements AdminEffect {
        @Override
        public Optional<Outcome> seen(ObservedElection observed, long nanos) {
            return observed.leader(nanos).isPresent()
                    ? Optional.empty()
                    : Optional.of(new Outcome(true, Optional.empty(), "paused: no candidate leads now"));
        }

        @Override
        public Outcome overdue(ObservedElection observed, long nanos, Duration waited) {
            var leader = observed.leader(nanos);
            return new Outcome(
                    false,
                    leader,
                    "the pause is written, but "
                            + leader.map(still -> stillLeads(still, waited)).orElse("nobody leads"));
        }
    }

    /**
     * The effect that the election has a leader again.
     *
     * @param termBefore the highest term when the pause ended
     */
    record Resume(long termBefore) implements AdminEffect {
        @Override
        public Optional<Outcome> seen(ObservedElection observed, long nanos) {
            // The record can still contain the holder from before the pause. Only a write of the holder proves that the
            // holder leads.
            return observed.leader(nanos)
                    .filter(next -> next.term() > termBefore || observed.state(nanos) == State.LED)
                    .map(next -> new Outcome(true, Optional.of(next), leadsNow(next)));
        }

        @Override
        public Outcome overdue(ObservedElection observed, long nanos, Duration waited) {
            return new Outcome(
                    false,
                    observed.leader(nanos),
                    "the pause is over, but no candidate took over within " + Spans.text(waited)
                            + "; is a candidate running?");
        }
    }

    private static Optional<Leader> follower(ObservedElection observed, long nanos, Leader previous) {
        return observed.leader(nanos).filter(next -> next.term() > previous.term());
    }

    private static String leadsNow(Leader next) {
        return ElectionText.quoted(next.id()) + " leads now, in term " + next.term();
    }

    private static String stillLeads(Leader still, Duration waited) {
        return ElectionText.text(still) + " still leads after " + Spans.text(waited)
                + "; its work may still run, or its process may have ended";
    }
}
