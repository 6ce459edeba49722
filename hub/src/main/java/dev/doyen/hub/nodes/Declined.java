package dev.doyen.hub.nodes;

import java.util.List;

/** Why a proposal is not in the log. */
public sealed interface Declined {

    /** Its messages were published before, there. */
    record Repeated(List<Place> places) implements Declined {
        public Repeated {
            places = List.copyOf(places);
        }
    }

    /** Which message of the entry at that position; the first is 0. */
    record Place(LogPosition position, int index) {}

    /** Some of its messages were published before. */
    record PartlyRepeated() implements Declined {}

    /** The slot is held in this higher term. */
    record Fenced(String slot, long term) implements Declined {}

    /** The connection is not, or no longer, at the node that was named. */
    record Elsewhere() implements Declined {}

    /** There is no such connection to take over, or it has another key. */
    record Unknown() implements Declined {}

    /** The connection to take over is another client's. */
    record AnothersClient() implements Declined {}
}
