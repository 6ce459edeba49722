package dev.doyen.ring;

import dev.doyen.event.LossCause;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.membership.Member;
import java.time.Duration;
import java.util.Optional;

/** An effect of a step of the ring machine. The driver carries out the effects in order. */
public sealed interface RingEffect {

    /**
     * Sends this message. The network can lose, duplicate or delay the message.
     *
     * <p>With {@link RingAlgorithm#PETERSON}, each link must deliver its messages in order.
     */
    record Send(Member to, RingMessage message) implements RingEffect {}

    /** Reports that this member leads from now on, as long as {@link RingState#remainingAt} is positive. */
    record Lead(Term term) implements RingEffect {}

    /** Reports that this member no longer leads, so its work must stop. */
    record StepDown(Term term, LossCause cause) implements RingEffect {}

    /**
     * Reports that half of the leader lease has passed. The leader still leads.
     *
     * <p>The leadership ends after {@code remaining}, unless a heartbeat returns or this member wins another round.
     */
    record Jeopardy(Term term, Duration remaining) implements RingEffect {}

    /** Reports that the leadership has been confirmed after {@link Jeopardy}. */
    record Recovered(Term term) implements RingEffect {}

    /**
     * Reports that the known leader has changed. The creator of the term is the leader. Without a term, no leader is
     * known.
     */
    record LeaderChanged(Optional<Term> term) implements RingEffect {}

    /** Reports that all members of the view have stored this save and all earlier saves (rule T3). */
    record Saved(long version) implements RingEffect {}

    /** Reports that the handover to the member of this id has failed (rule H3). */
    record HandOverFailed(String successor, Obstacle why) implements RingEffect {}

    /** The reason why a handover failed. */
    enum Obstacle {
        /** The view has no other member of this id. */
        NOT_THERE,
        /** Another member was elected. The successor did not campaign, was late, or left the view. */
        ANOTHER_ELECTED,
        /** The successor did not respond, and the members elect a leader. */
        NO_ANSWER
    }

    /** Reports that the machine has dropped a message (rule R11). The driver counts the message. */
    record Dropped(Member from, RingMessage message, Why why) implements RingEffect {}

    /** The reason why a message was dropped. */
    enum Why {
        /**
         * The sender may not send this message. No view is installed, the view does not contain the sender, the sender
         * is not the predecessor on the ring, or the sender hands over a term of another leader.
         */
        NOT_FROM_PREDECESSOR,
        /** The message belongs to a past view, round or term, or answers a request that is no longer open. */
        PAST,
        /** The message was received before. */
        REPEATED,
        /**
         * The message belongs to a later view. Either too many such messages wait, or the message has waited too long.
         */
        NOT_KEPT,
        /** An earlier message of the link is missing. */
        OUT_OF_ORDER,
        /** The sender uses another algorithm. */
        OTHER_ALGORITHM,
        /** The sender uses another {@link RingOrder}. */
        OTHER_ORDER
    }
}
