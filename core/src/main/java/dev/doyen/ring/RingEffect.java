package dev.doyen.ring;

import dev.doyen.event.LossCause;
import dev.doyen.membership.Member;
import java.time.Duration;
import java.util.Optional;

/** What a ring machine wants done, in order. */
public sealed interface RingEffect {

    /** Send this. It may be lost, doubled or late; {@link RingAlgorithm#PETERSON} wants the order kept on each link. */
    record Send(Member to, RingMessage message) implements RingEffect {}

    /** This member leads from now on, for as long as {@link RingState#leading()} says. */
    record Lead(Term term) implements RingEffect {}

    /** This member does not lead any more: its work is to be stopped. */
    record StepDown(Term term, LossCause cause) implements RingEffect {}

    /** Still the leader, for {@code remaining} at most: no lap has come home for half of lead. */
    record Jeopardy(Term term, Duration remaining) implements RingEffect {}

    /** A lap came home after {@link Jeopardy}. */
    record Recovered(Term term) implements RingEffect {}

    /** Who leads, as this member knows it, is another now: the creator of the term, or nobody. */
    record LeaderChanged(Optional<Term> term) implements RingEffect {}

    /** All members of the view have this save, and so those before it (rule T3). */
    record Saved(long version) implements RingEffect {}

    /** The member of this id does not follow this one, though it was to (rule H3). */
    record HandOverFailed(String heir, Obstacle why) implements RingEffect {}

    /** Why a hand-over came to nothing. */
    enum Obstacle {
        /** No member of this id is in the view. */
        NOT_THERE,
        /** Another member was elected: the heir did not stand, was late, or was put out. */
        ANOTHER_ELECTED,
        /** It has done nothing, and the others elect. */
        NO_ANSWER
    }

    /** A message was dropped, unread or unkept (rule R11). To be counted. */
    record Dropped(Member from, RingMessage message, Why why) implements RingEffect {}

    /** Why a message was dropped. */
    enum Why {
        /** No view is installed, or the sender is not in it, or is not the predecessor on the ring. */
        NOT_FROM_PREDECESSOR,
        /** Of a view, round or term that is past. */
        PAST,
        /** Seen before. */
        REPEATED,
        /** Of a view that may come, but too many of those are waiting, or this one waited too long. */
        NOT_KEPT,
        /** What the members before it said is missing. */
        OUT_OF_ORDER,
        /** The sender uses another algorithm. */
        OTHER_ALGORITHM,
        /** The sender compares members by another {@link RingOrder}. */
        OTHER_ORDER
    }
}
