package dev.doyen.ring;

import dev.doyen.event.LossCause;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.membership.Member;
import java.time.Duration;
import java.util.Optional;

/** An effect of a step of the ring machine. The driver carries effects out in order. */
public sealed interface RingEffect {

    /**
     * Send this message. It may be lost, duplicated or late.
     *
     * <p>With {@link RingAlgorithm#PETERSON} each link must keep the order of its messages.
     */
    record Send(Member to, RingMessage message) implements RingEffect {}

    /** This member leads from now on, as long as {@link RingState#leading()} returns the term. */
    record Lead(Term term) implements RingEffect {}

    /** This member no longer leads, so its work must stop. */
    record StepDown(Term term, LossCause cause) implements RingEffect {}

    /**
     * The leader still leads, but no heartbeat has returned for half of the leader lease.
     *
     * <p>It leads for {@code remaining} at most, unless a heartbeat returns.
     */
    record Jeopardy(Term term, Duration remaining) implements RingEffect {}

    /** A heartbeat has returned after {@link Jeopardy}. */
    record Recovered(Term term) implements RingEffect {}

    /** The known leader has changed: it is the creator of the term, or there is none. */
    record LeaderChanged(Optional<Term> term) implements RingEffect {}

    /** All members of the view have this save, and so the earlier ones (rule T3). */
    record Saved(long version) implements RingEffect {}

    /** The handover to the member of this id has failed (rule H3). */
    record HandOverFailed(String successor, Obstacle why) implements RingEffect {}

    /** Why a handover failed. */
    enum Obstacle {
        /** The view has no other member of this id. */
        NOT_THERE,
        /** Another member was elected, because the successor did not campaign, was late, or left the view. */
        ANOTHER_ELECTED,
        /** The successor did nothing, and the members elect. */
        NO_ANSWER
    }

    /** A message was dropped (rule R11). The driver counts it. */
    record Dropped(Member from, RingMessage message, Why why) implements RingEffect {}

    /** Why a message was dropped. */
    enum Why {
        /** No view is installed, or the sender is not in the view, or is not the predecessor on the ring. */
        NOT_FROM_PREDECESSOR,
        /** The message belongs to a past view, round or term. */
        PAST,
        /** The message was received before. */
        REPEATED,
        /** The message belongs to a later view, and either too many of them wait, or this one waited too long. */
        NOT_KEPT,
        /** An earlier message of the link is missing. */
        OUT_OF_ORDER,
        /** The sender uses another algorithm. */
        OTHER_ALGORITHM,
        /** The sender uses another {@link RingOrder}. */
        OTHER_ORDER
    }
}
