package dev.doyen.demo.ring;

import dev.doyen.event.LossCause;
import java.util.List;
import java.util.Optional;

/**
 * An event in a recorded election.
 *
 * <p>Members are identified by their ring position, from 0. Times are in milliseconds of the recorded world, from its
 * start.
 */
public sealed interface RecordedEvent {

    long atMillis();

    /**
     * A member has sent a message to the next member.
     *
     * @param id the number of the message, from 0
     * @param kind the kind as counted: {@code elect}, {@code retry}, {@code compare}, {@code chosen}, {@code elected},
     *     {@code beat}, {@code nack}
     * @param number the number of the member that the message is about
     * @param view the number of its view; both sides of a partition may use the same number
     * @param phase the phase of Peterson's algorithm, from 1; 0 for other messages
     * @param second whether it is the second message of Peterson's phase
     */
    record Sent(
            long atMillis,
            int id,
            String kind,
            int from,
            int to,
            int number,
            long view,
            long round,
            int phase,
            boolean second)
            implements RecordedEvent {}

    /** The message has arrived or was lost. The messages that the receiver sends in reaction follow. */
    record Ended(long atMillis, int id, Fate fate) implements RecordedEvent {}

    /** The fate of a message. */
    enum Fate {
        /** The receiver forwarded it. */
        PASSED,
        /** The receiver processed it without forwarding it. */
        STOPPED,
        /** It has returned to the member that it is about. */
        HOME,
        /** Its view is not installed at the receiver yet; the receiver keeps it until then. */
        HELD,
        /** The receiver ignored it (rule R11). */
        DROPPED,
        /** It did not arrive. */
        LOST
    }

    /** The membership has announced a view. Each member installs it later, in an event of its own. */
    record ViewMade(long atMillis, long view, List<Integer> members) implements RecordedEvent {
        public ViewMade {
            members = List.copyOf(members);
        }
    }

    record ViewInstalled(long atMillis, int member, long view) implements RecordedEvent {}

    /** The member leads from now on. */
    record Leads(long atMillis, int member, long term) implements RecordedEvent {}

    record StepsDown(long atMillis, int member, long term, LossCause cause) implements RecordedEvent {}

    /** From now on the member knows this leader, or none. */
    record Knows(long atMillis, int member, Optional<Integer> leader) implements RecordedEvent {}

    record Crashed(long atMillis, int member) implements RecordedEvent {}

    /** From now on no message passes between these members and the others. */
    record Parted(long atMillis, List<Integer> members) implements RecordedEvent {
        public Parted {
            members = List.copyOf(members);
        }
    }

    /** All links work again. */
    record Healed(long atMillis) implements RecordedEvent {}
}
