package dev.doyen.driver;

import dev.doyen.event.HandOverState;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.lease.Explanation;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A machine that elects over a membership, as its {@link MembershipLoop} sees it: it keeps the machine's state, and puts its
 * inputs and effects into the loop's words. It decides nothing, and neither does the loop.
 *
 * <p>Threads: the loop's only, but for {@link #topic}, {@link #lead} and what {@link #sight} has returned.
 */
public interface MembershipContest {

    /** Where the messages of the election of this name go. */
    String topic(String election);

    /** For how long a leader leads without another confirmation. */
    Duration lead();

    /** What is known now: immutable, for any thread. */
    Sight sight();

    Outcome installed(Moment at, View view);

    /** Reads a message; to be taken as any other input. */
    Function<Moment, Outcome> heard(Member from, byte[] message) throws UnreadableMessageException;

    /** The moment came for which an outcome asked. */
    Outcome woken(Moment at);

    Outcome stand(Moment at);

    Outcome standBack(Moment at, LossCause cause);

    Outcome resign(Moment at, Duration cooldown);

    /** Leads no more, for the member of this id. */
    Outcome handOver(Moment at, String heir, Duration cooldown);

    /**
     * Takes a state for the next leader, if this member leads in this term.
     *
     * @param save the number of the save, which rises
     */
    Outcome save(Moment at, long term, long save, HandOverState state);

    /** The membership has ended. */
    Outcome left(Moment at);

    /** What a machine knows after a step. */
    interface Sight {

        /** The term in which this member leads, while {@link #remainingAt} is more than zero. */
        Optional<Long> leading();

        /** For how long it leads without another confirmation; zero if it does not lead. */
        Duration remainingAt(Moment now);

        Optional<Leader> leader();

        /** The newest saved state that has reached this member; of a leader, its own state. */
        HandOverState state();

        /** For a person who asks why this member leads, or does not. */
        Explanation explain(Asked asked);
    }

    /**
     * What an explanation needs that the machine does not know.
     *
     * @param leads whether the work has been told to begin, too
     * @param stoodBack why it was told not to stand, if it was
     * @param doubted whether confirmations are late
     */
    record Asked(Moment now, boolean leads, Optional<LossCause> stoodBack, boolean doubted) {}

    /**
     * What one input came to.
     *
     * @param effects to be carried out in this order
     * @param wakeAtNanos when {@link #woken} is owed; {@link Long#MAX_VALUE} for never
     */
    record Outcome(List<Effect> effects, long wakeAtNanos) {
        public Outcome {
            effects = List.copyOf(effects);
        }
    }

    /** What is to be done. */
    sealed interface Effect {}

    /**
     * Send this.
     *
     * @param message written only if it is sent
     * @param sent is raised once it is on its way
     */
    record Send(Member to, Supplier<byte[]> message, LongAdder sent) implements Effect {}

    record Lead(long term) implements Effect {}

    /** Lead no more. The work stops before anything is sent after this. */
    record StepDown(long term, LossCause cause) implements Effect {}

    record Jeopardy(long term, Duration remaining, String reason) implements Effect {}

    record Recovered(long term) implements Effect {}

    record LeaderChanged(Optional<Leader> leader) implements Effect {}

    /** All members of the view have this save, and those before it. */
    record Saved(long save) implements Effect {}

    /** Something that people should know: to be logged. */
    record Notice(String sentence) implements Effect {}

    /** This member does what cannot be meant: to be logged once. */
    record Blame(Member from, String sentence) implements Effect {}
}
