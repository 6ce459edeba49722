package dev.doyen.server.operator;

import dev.doyen.event.Leader;
import dev.doyen.server.operator.Sighting.Standing;
import java.time.Duration;
import java.util.Optional;

/** Something asked of an election, and how one sees whether it has come about. */
public sealed interface Wish {

    /** What has become of it, as soon as that can be said. */
    Optional<Outcome> seen(Sighting sighting, long nanos);

    /** What has become of it when no more is waited for. */
    Outcome overdue(Sighting sighting, long nanos, Duration waited);

    /**
     * What has become of a wish.
     *
     * @param leader who leads now
     */
    record Outcome(boolean cameAbout, Optional<Leader> leader, String sentence) {}

    /** The leader of this term is to step down. */
    record Resign(Leader asked) implements Wish {
        @Override
        public Optional<Outcome> seen(Sighting sighting, long nanos) {
            return follower(sighting, nanos, asked).map(next -> new Outcome(true, Optional.of(next), leadsNow(next)));
        }

        @Override
        public Outcome overdue(Sighting sighting, long nanos, Duration waited) {
            var leader = sighting.leader(nanos);
            return leader.isPresent()
                    ? new Outcome(false, leader, stillLeads(leader.get(), waited))
                    : new Outcome(
                            true,
                            leader,
                            Wording.text(asked) + " leads no more; nobody leads now"
                                    + ", and nobody has taken over within " + Spans.text(waited));
        }
    }

    /** The leader of this term is to hand over to another. */
    record Transfer(Leader asked, String to) implements Wish {
        @Override
        public Optional<Outcome> seen(Sighting sighting, long nanos) {
            return follower(sighting, nanos, asked)
                    .map(next -> next.id().equals(to)
                            ? new Outcome(true, Optional.of(next), leadsNow(next))
                            : new Outcome(
                                    false,
                                    Optional.of(next),
                                    leadsNow(next) + ", for " + Wording.quoted(to)
                                            + " did not take over; is it running, and well?"));
        }

        @Override
        public Outcome overdue(Sighting sighting, long nanos, Duration waited) {
            var leader = sighting.leader(nanos);
            return new Outcome(
                    false,
                    leader,
                    leader.map(still -> stillLeads(still, waited))
                            .orElse(Wording.text(asked) + " leads no more, but " + Wording.quoted(to)
                                    + " has not taken over within " + Spans.text(waited) + ", nor has anybody"));
        }
    }

    /** Nobody is to lead. */
    record Pause() implements Wish {
        @Override
        public Optional<Outcome> seen(Sighting sighting, long nanos) {
            return sighting.leader(nanos).isPresent()
                    ? Optional.empty()
                    : Optional.of(new Outcome(true, Optional.empty(), "paused: nobody leads now"));
        }

        @Override
        public Outcome overdue(Sighting sighting, long nanos, Duration waited) {
            var leader = sighting.leader(nanos);
            return new Outcome(
                    false,
                    leader,
                    "the pause is written, but "
                            + leader.map(still -> stillLeads(still, waited)).orElse("nobody leads"));
        }
    }

    /**
     * Somebody is to lead again.
     *
     * @param termBefore the highest term when the pause was ended
     */
    record Resume(long termBefore) implements Wish {
        @Override
        public Optional<Outcome> seen(Sighting sighting, long nanos) {
            // A record that names somebody may be left from before the pause; a sign of life may not.
            return sighting.leader(nanos)
                    .filter(next -> next.term() > termBefore || sighting.standing(nanos) == Standing.LED)
                    .map(next -> new Outcome(true, Optional.of(next), leadsNow(next)));
        }

        @Override
        public Outcome overdue(Sighting sighting, long nanos, Duration waited) {
            return new Outcome(
                    false,
                    sighting.leader(nanos),
                    "the pause is over, but nobody was seen to lead within " + Spans.text(waited)
                            + "; is a candidate running?");
        }
    }

    private static Optional<Leader> follower(Sighting sighting, long nanos, Leader asked) {
        return sighting.leader(nanos).filter(next -> next.term() > asked.term());
    }

    private static String leadsNow(Leader next) {
        return Wording.quoted(next.id()) + " leads now, in term " + next.term();
    }

    private static String stillLeads(Leader still, Duration waited) {
        return Wording.text(still) + " still leads after " + Spans.text(waited)
                + "; it may be stopping its work, or be dead";
    }
}
