package dev.doyen.hub.log;

import java.util.List;

/** Why a proposal or a move of a connection was declined. */
public sealed interface Declined {

    /** All messages were published before, at these places. */
    record Repeated(List<Place> places) implements Declined {
        public Repeated {
            places = List.copyOf(places);
        }
    }

    /** A message in a log entry; index 0 is the first. */
    record Place(LogPosition position, int index) {}

    /** Some of the messages were published before. */
    record PartlyRepeated() implements Declined {}

    /** The slot is held in this higher term. */
    record Fenced(String slot, long term) implements Declined {}

    /** The connection is not, or no longer, at the named node. */
    record Elsewhere() implements Declined {}

    /** The connection to move does not exist or has another key. */
    record Unknown() implements Declined {}

    /** The connection to move belongs to another client. */
    record AnothersClient() implements Declined {}
}
