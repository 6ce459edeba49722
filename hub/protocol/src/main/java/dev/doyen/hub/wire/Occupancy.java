package dev.doyen.hub.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The number of users of a channel, by kind.
 *
 * @param connections the number of attached connections
 * @param publishers the number of attached connections that may publish
 * @param subscribers the number of attached connections that may receive messages
 * @param presenceConnections the number of attached connections that may enter members
 * @param presenceMembers the number of members; one connection can have several
 * @param presenceSubscribers the number of attached connections that may receive presence events
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

    /** Returns the sum of two occupancies. No user may be counted in both. */
    public Occupancy plus(Occupancy other) {
        return new Occupancy(
                connections + other.connections,
                publishers + other.publishers,
                subscribers + other.subscribers,
                presenceConnections + other.presenceConnections,
                presenceMembers + other.presenceMembers,
                presenceSubscribers + other.presenceSubscribers);
    }

    /** Returns the numbers as JSON, under their names on the wire. */
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
