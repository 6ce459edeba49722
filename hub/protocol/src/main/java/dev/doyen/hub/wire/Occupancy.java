package dev.doyen.hub.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The number of users of a channel, by kind.
 *
 * @param connections attached connections
 * @param publishers attached connections that may publish
 * @param subscribers attached connections that may receive messages
 * @param presenceConnections attached connections that may enter members
 * @param presenceMembers members; one connection may have several
 * @param presenceSubscribers attached connections that may receive presence events
 */
public record Occupancy(
        int connections,
        int publishers,
        int subscribers,
        int presenceConnections,
        int presenceMembers,
        int presenceSubscribers) {

    /** The occupancy of an unused channel. */
    public static final Occupancy NOBODY = new Occupancy(0, 0, 0, 0, 0, 0);

    /** Returns the sum. Nobody may be counted in both. */
    public Occupancy plus(Occupancy other) {
        return new Occupancy(
                connections + other.connections,
                publishers + other.publishers,
                subscribers + other.subscribers,
                presenceConnections + other.presenceConnections,
                presenceMembers + other.presenceMembers,
                presenceSubscribers + other.presenceSubscribers);
    }

    /** Returns the numbers under their names on the wire. */
    public ObjectNode metrics() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("connections", connections)
                .put("publishers", publishers)
                .put("subscribers", subscribers)
                .put("presenceConnections", presenceConnections)
                .put("presenceMembers", presenceMembers)
                .put("presenceSubscribers", presenceSubscribers);
    }
}
