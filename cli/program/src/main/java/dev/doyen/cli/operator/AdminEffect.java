package dev.doyen.cli.operator;

import dev.doyen.cli.operator.ObservedElection.State;
import dev.doyen.elector.wording.Spans;
import dev.doyen.elector.wording.Wording;
import dev.doyen.event.Leader;
import java.time.Duration;
import java.util.Optional;

/** An admin command, and how to see in the store whether it has taken effect. */
public sealed interface AdminEffect {

    /** The outcome, as soon as it is certain. */
    Optional<Outcome> seen(ObservedElection observed, long nanos);

    /** The outcome when the command stops waiting. */
    Outcome overdue(ObservedElection observed, long nanos, Duration waited);

    /**
     * The outcome of a command.
     *
     * @param leader the leader now
     */
    record Outcome(boolean achieved, Optional<Leader> leader, String sentence) {}

    /** The leader of this term shall step down. */
    record Resign(Leader asked) implements AdminEffect {
        @Override
        public Optional<Outcome> seen(ObservedElection observed, long nanos) {
            return follower(observed, nanos, asked).map(next -> new Outcome(true, Optional.of(next), leadsNow(next)));
        }

        @Override
        public Outcome overdue(ObservedElection observed, long nanos, Duration waited) {
            var leader = observed.leader(nanos);
            return leader.isPresent()
                    ? new Outcome(false, leader, stillLeads(leader.get(), waited))
                    : new Outcome(
                            true,
                            leader,
                            Wording.text(asked) + " leads no more; nobody leads now"
                                    + ", and nobody has taken over within " + Spans.text(waited));
        }
    }

    /** The leader of this term shall hand over to another candidate. */
    record Transfer(Leader asked, String to) implements AdminEffect {
        @Override
        public Optional<Outcome> seen(ObservedElection observed, long nanos) {
            return follower(observed, nanos, asked)
                    .map(next -> next.id().equals(to)
                            ? new Outcome(true, Optional.of(next), leadsNow(next))
                            : new Outcome(
                                    false,
                                    Optional.of(next),
                                    leadsNow(next) + ", for " + Wording.quoted(to)
                                            + " did not take over; is it running and healthy?"));
        }

        @Override
        public Outcome overdue(ObservedElection observed, long nanos, Duration waited) {
            var leader = observed.leader(nanos);
            return new Outcome(
                    false,
                    leader,
                    leader.map(still -> stillLeads(still, waited))
                            .orElse(Wording.text(asked) + " leads no more, but " + Wording.quoted(to)
                                    + " has not taken over within " + Spans.text(waited) + ", nor has anybody"));
        }
    }

    /** The election shall have no leader. */
    record Pause() implements AdminEffect {
        @Override
        public Optional<Outcome> seen(ObservedElection observed, long nanos) {
            return observed.leader(nanos).isPresent()
                    ? Optional.empty()
                    : Optional.of(new Outcome(true, Optional.empty(), "paused: nobody leads now"));
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
     * The election shall have a leader again.
     *
     * @param termBefore the highest term when the pause ended
     */
    record Resume(long termBefore) implements AdminEffect {
        @Override
        public Optional<Outcome> seen(ObservedElection observed, long nanos) {
            // The record may still name the holder from before the pause. A write of the holder proves that it leads.
            return observed.leader(nanos)
                    .filter(next -> next.term() > termBefore || observed.state(nanos) == State.LED)
                    .map(next -> new Outcome(true, Optional.of(next), leadsNow(next)));
        }

        @Override
        public Outcome overdue(ObservedElection observed, long nanos, Duration waited) {
            return new Outcome(
                    false,
                    observed.leader(nanos),
                    "the pause is over, but nobody was seen to lead within " + Spans.text(waited)
                            + "; is a candidate running?");
        }
    }

    private static Optional<Leader> follower(ObservedElection observed, long nanos, Leader asked) {
        return observed.leader(nanos).filter(next -> next.term() > asked.term());
    }

    private static String leadsNow(Leader next) {
        return Wording.quoted(next.id()) + " leads now, in term " + next.term();
    }

    private static String stillLeads(Leader still, Duration waited) {
        return Wording.text(still) + " still leads after " + Spans.text(waited)
                + "; it may be stopping its work, or be dead";
    }
}
