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
 * <p>The adapter stores the state of the machine, and translates the inputs and effects of the machine. The adapter
 * makes no decisions.
 *
 * <p>Threads: the loop thread. Any thread may call {@link #topic} and {@link #leaderLease}, and may use the result of
 * {@link #snapshot}.
 */
public interface MembershipContest {

    /** Returns the topic for the messages of the election with this name. */
    String topic(String election);

    /** Returns the leader lease: the time for which a leader leads without another confirmation. */
    Duration leaderLease();

    /** Returns the present state of the election. The snapshot is immutable, and any thread may read it. */
    Snapshot snapshot();

    /** Processes the installation of a view. */
    Outcome installed(Moment at, View view);

    /** Decodes a message and returns a function that processes the message as one input. */
    Function<Moment, Outcome> received(Member from, byte[] message) throws UnreadableMessageException;

    /**
     * Processes an expired timer. The loop calls this method at {@code wakeAtNanos} of the last outcome. An earlier
     * call has no effect.
     */
    Outcome woken(Moment at);

    /** Makes this member a candidate. */
    Outcome campaign(Moment at);

    /** Makes this member an observer. If this member leads, it steps down for this cause. */
    Outcome withdraw(Moment at, LossCause cause);

    /** Steps down if this member leads, and does not campaign for {@code cooldown}. */
    Outcome resign(Moment at, Duration cooldown);

    /**
     * Hands over to the member with this id, if this member leads. This member then does not campaign for
     * {@code cooldown}.
     */
    Outcome handOver(Moment at, String successor, Duration cooldown);

    /**
     * Saves a state for the next leader, if this member leads in this term.
     *
     * @param save the number of the save, which rises with each save
     */
    Outcome save(Moment at, long term, long save, SavedState state);

    /** Ends the machine, because the membership has ended. */
    Outcome left(Moment at);

    /** The state of the election after a step. */
    interface Snapshot {

        /**
         * Returns the term in which this member leads. The member leads only while {@link #remainingAt} is positive.
         */
        Optional<Long> leading();

        /**
         * Returns how long this member leads without another confirmation. The result is zero if this member does not
         * lead.
         */
        Duration remainingAt(Moment now);

        Optional<Leader> leader();

        /** Returns the newest saved state that this member has received, or saved as the leader. */
        SavedState state();

        /** Explains why this member leads, or does not lead. */
        Explanation explain(ExplanationContext context);
    }

    /**
     * The facts that the loop passes to {@link Snapshot#explain}.
     *
     * @param leads true if this member leads and the loop has reported the beginning of the term. Only then may the
     *     work run
     * @param withdrawnBecause the cause for which this member has withdrawn; empty if this member campaigns
     * @param doubted true if the leader is in jeopardy
     */
    record ExplanationContext(Moment now, boolean leads, Optional<LossCause> withdrawnBecause, boolean doubted) {}

    /**
     * The result of one input.
     *
     * @param effects the effects to carry out, in this order
     * @param wakeAtNanos the time at which the loop calls {@link #woken}, on the monotonic clock;
     *     {@link Long#MAX_VALUE} for never
     */
    record Outcome(List<Effect> effects, long wakeAtNanos) {
        public Outcome {
            effects = List.copyOf(effects);
        }
    }

    /** An action that a step requires. The loop carries it out. */
    sealed interface Effect {}

    /**
     * Sends a message.
     *
     * @param message the function that encodes the message; the loop calls the function only if the loop sends the
     *     message
     * @param sent the counter that the loop increments after the membership has accepted the message
     */
    record Send(Member to, Supplier<byte[]> message, LongAdder sent) implements Effect {}

    /** Begins a leadership of this member in this term. */
    record Lead(long term) implements Effect {}

    /**
     * Ends the leadership of this term. The loop delays later messages until the work has stopped or the leader lease
     * has expired.
     */
    record StepDown(long term, LossCause cause) implements Effect {}

    /**
     * Reports that no confirmation has arrived for a while. The leadership ends after {@code remaining}, unless a
     * confirmation arrives.
     */
    record Jeopardy(long term, Duration remaining, String reason) implements Effect {}

    /** Reports that a confirmation has arrived after {@link Jeopardy}. */
    record Recovered(long term) implements Effect {}

    /** Reports the new leader; empty if no leader is known. */
    record LeaderChanged(Optional<Leader> leader) implements Effect {}

    /** Reports that all members of the view have stored this save and all earlier saves. */
    record Saved(long save) implements Effect {}

    /** A sentence that the loop logs. */
    record Notice(String sentence) implements Effect {}

    /** A sentence about a misconfigured member. The loop logs at most one such sentence for each member. */
    record Blame(Member from, String sentence) implements Effect {}
}
