package dev.doyen.hub.log;

import java.util.List;

/** The reason why the log declined a proposal or a move of a connection. */
public sealed interface Declined {

    /** All messages were already published, in these log entries. */
    record Repeated(List<Place> places) implements Declined {
        public Repeated {
            places = List.copyOf(places);
        }
    }

    /** The log entry of a message, and the index of the message in the entry. The first message has index 0. */
    record Place(LogPosition position, int index) {}

    /** Some of the messages were already published. */
    record PartlyRepeated() implements Declined {}

    /** The proposal's term is too low. The last term of the slot in the log is {@code term}. */
    record Fenced(String slot, long term) implements Declined {}

    /** The connection is not, or no longer, at the node that the proposal names. */
    record Elsewhere() implements Declined {}

    /** The connection to move does not exist or has another key. */
    record Unknown() implements Declined {}

    /** The connection to move belongs to another client. */
    record AnothersClient() implements Declined {}
}
