package dev.doyen.group.driver;

import dev.doyen.event.Explanation;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The adapter between a {@link MembershipLoop} and a machine that elects over a membership.
 *
 * <p>It keeps the machine's state, and translates its inputs and effects. It decides nothing.
 *
 * <p>Threads: the loop thread. Any thread may call {@link #topic}, {@link #leaderLease} and the result of {@link #snapshot}.
 */
public interface MembershipContest {

    /** Returns the topic for the messages of the election of this name. */
    String topic(String election);

    /** Returns the leader lease: how long a leader leads without another confirmation. */
    Duration leaderLease();

    /** Returns the present state of the election. Immutable, for any thread. */
    Snapshot snapshot();

    Outcome installed(Moment at, View view);

    /** Decodes a message. The result processes it, as one input. */
    Function<Moment, Outcome> received(Member from, byte[] message) throws UnreadableMessageException;

    /** Lets time pass. Due at {@code wakeAtNanos} of the last outcome, harmless at any other time. */
    Outcome woken(Moment at);

    Outcome campaign(Moment at);

    Outcome withdraw(Moment at, LossCause cause);

    Outcome resign(Moment at, Duration cooldown);

    /** Hands over to the member of this id, if leading. */
    Outcome handOver(Moment at, String successor, Duration cooldown);

    /**
     * Saves a state for the next leader, if this member leads in this term.
     *
     * @param save the number of the save, which rises
     */
    Outcome save(Moment at, long term, long save, SavedState state);

    /** Ends the machine, because the membership has ended. */
    Outcome left(Moment at);

    /** The state of the election after a step. */
    interface Snapshot {

        /** Returns the term in which this member leads. It leads only while {@link #remainingAt} is positive. */
        Optional<Long> leading();

        /** Returns how long this member leads without another confirmation; zero if it does not lead. */
        Duration remainingAt(Moment now);

        Optional<Leader> leader();

        /** Returns the newest saved state that has reached this member, or that it saved as the leader. */
        SavedState state();

        /** Explains why this member leads, or does not lead. */
        Explanation explain(ExplanationContext asked);
    }

    /**
     * The facts for an explanation that the machine does not know.
     *
     * @param leads true if the work was also told to begin
     * @param withdrawnBecause why this member has withdrawn; empty if it campaigns
     * @param doubted true if the leader is in jeopardy
     */
    record ExplanationContext(Moment now, boolean leads, Optional<LossCause> withdrawnBecause, boolean doubted) {}

    /**
     * The result of one input.
     *
     * @param effects to be carried out in this order
     * @param wakeAtNanos when to call {@link #woken}; {@link Long#MAX_VALUE} for never
     */
    record Outcome(List<Effect> effects, long wakeAtNanos) {
        public Outcome {
            effects = List.copyOf(effects);
        }
    }

    /** An effect that the loop carries out. */
    sealed interface Effect {}

    /**
     * Send a message.
     *
     * @param message encodes the message; called only if it is sent
     * @param sent is incremented after the membership has accepted the message
     */
    record Send(Member to, Supplier<byte[]> message, LongAdder sent) implements Effect {}

    record Lead(long term) implements Effect {}

    /** Stop leading. The work must stop before any later message is sent. */
    record StepDown(long term, LossCause cause) implements Effect {}

    record Jeopardy(long term, Duration remaining, String reason) implements Effect {}

    record Recovered(long term) implements Effect {}

    record LeaderChanged(Optional<Leader> leader) implements Effect {}

    /** All members of the view have this save, and so the earlier ones. */
    record Saved(long save) implements Effect {}

    /** A sentence for the log. */
    record Notice(String sentence) implements Effect {}

    /** A sentence about a misconfigured member, to be logged once for each member. */
    record Blame(Member from, String sentence) implements Effect {}
}
