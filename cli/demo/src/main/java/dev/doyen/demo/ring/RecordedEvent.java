package dev.doyen.demo.ring;

import dev.doyen.event.LossCause;
import java.util.List;
import java.util.Optional;

/**
 * An event of a recorded election.
 *
 * <p>Members are identified by their ring position, from 0. Times are in milliseconds since the start of the recording.
 */
public sealed interface RecordedEvent {

    long atMillis();

    /**
     * A member has sent a message to another member.
     *
     * @param id the number of the message, from 0
     * @param kind the kind of message: {@code elect}, {@code retry}, {@code compare}, {@code chosen}, {@code
     *     elected}, {@code heartbeat}, {@code nack} or {@code state}
     * @param number the number of the member that the message is about; the sender's number if the message is about no
     *     member
     * @param view the number of the message's view; both sides of a partition can use the same number
     * @param phase the phase of Peterson's algorithm, from 1; 0 for other messages
     * @param second true if the message is the second message of its phase in Peterson's algorithm
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

    /**
     * The message has arrived or was lost. The receiver's reactions, such as the messages that it sends, are the next
     * events.
     */
    record Ended(long atMillis, int id, Fate fate) implements RecordedEvent {}

    /** The fate of a message. */
    enum Fate {
        /** The receiver forwarded the message. */
        PASSED,
        /** The receiver processed the message and did not forward it. */
        STOPPED,
        /** The message has returned to the member that it is about. */
        HOME,
        /** The receiver stores the message until it has installed the message's view. */
        HELD,
        /** The receiver ignored the message (rule R11). */
        DROPPED,
        /** The message did not arrive. */
        LOST
    }

    /** The membership has announced a view. A separate, later event records when a member installs the view. */
    record ViewMade(long atMillis, long view, List<Integer> members) implements RecordedEvent {
        public ViewMade {
            members = List.copyOf(members);
        }
    }

    record ViewInstalled(long atMillis, int member, long view) implements RecordedEvent {}

    /** The member leads from now on. */
    record Leads(long atMillis, int member, long term) implements RecordedEvent {}

    record StepsDown(long atMillis, int member, long term, LossCause cause) implements RecordedEvent {}

    /** The member reports this leader from now on. If {@code leader} is empty, the member reports no leader. */
    record LeaderKnown(long atMillis, int member, Optional<Integer> leader) implements RecordedEvent {}

    record Crashed(long atMillis, int member) implements RecordedEvent {}

    /** From now on no message passes between these members and the other members. */
    record Parted(long atMillis, List<Integer> members) implements RecordedEvent {
        public Parted {
            members = List.copyOf(members);
        }
    }

    /** All links work again. */
    record Healed(long atMillis) implements RecordedEvent {}
}
