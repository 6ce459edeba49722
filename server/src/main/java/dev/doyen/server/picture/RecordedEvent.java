package dev.doyen.server.picture;

import dev.doyen.event.LossCause;
import java.util.List;
import java.util.Optional;

/**
 * What happened in a recorded world, at one moment. Members are named by their places on the ring, from 0; times are in
 * milliseconds of that world, from its beginning.
 */
public sealed interface RecordedEvent {

    long atMillis();

    /**
     * A message began to cross a link.
     *
     * @param id counts the messages, from 0
     * @param kind as the counts tell them apart: {@code elect}, {@code retry}, {@code compare}, {@code chosen},
     *     {@code elected}, {@code beat}, {@code nack}
     * @param number of the member that the message is about
     * @param view its number; both sides of a partition may have the same
     * @param phase Peterson's, from 1; 0 with all else
     * @param second of Peterson's two messages of a phase
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

    /** The crossing ended. What its receiver sent because of it follows. */
    record Ended(long atMillis, int id, Fate fate) implements RecordedEvent {}

    /** What became of a message. */
    enum Fate {
        /** Its receiver sent it on. */
        PASSED,
        /** Its receiver read it, and it goes no further. */
        STOPPED,
        /** It is back at the member that it is about. */
        HOME,
        /** It is of a view that its receiver has not installed yet, and is kept until then. */
        HELD,
        /** Its receiver could make nothing of it (rule R11). */
        DROPPED,
        /** It did not arrive. */
        LOST
    }

    /** The membership says who is there. What its members do about it follows, each at its time. */
    record ViewMade(long atMillis, long view, List<Integer> members) implements RecordedEvent {
        public ViewMade {
            members = List.copyOf(members);
        }
    }

    record ViewInstalled(long atMillis, int member, long view) implements RecordedEvent {}

    /** It leads from now on. */
    record Leads(long atMillis, int member, long term) implements RecordedEvent {}

    record StepsDown(long atMillis, int member, long term, LossCause cause) implements RecordedEvent {}

    /** It knows this leader, or none, from now on. */
    record Knows(long atMillis, int member, Optional<Integer> leader) implements RecordedEvent {}

    record Crashed(long atMillis, int member) implements RecordedEvent {}

    /** Nothing passes between these members and the others from now on. */
    record Parted(long atMillis, List<Integer> members) implements RecordedEvent {
        public Parted {
            members = List.copyOf(members);
        }
    }

    /** All links carry again. */
    record Healed(long atMillis) implements RecordedEvent {}
}
