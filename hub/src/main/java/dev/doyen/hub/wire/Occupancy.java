package dev.doyen.hub.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * How many use a channel.
 *
 * @param connections those attached
 * @param publishers of these, those that may publish
 * @param subscribers those that may hear messages
 * @param presenceConnections those that may enter members
 * @param presenceMembers who is present; one connection may have entered several
 * @param presenceSubscribers connections that may hear who is present
 */
public record Occupancy(
        int connections,
        int publishers,
        int subscribers,
        int presenceConnections,
        int presenceMembers,
        int presenceSubscribers) {

    /** Of a channel that nobody uses. */
    public static final Occupancy NOBODY = new Occupancy(0, 0, 0, 0, 0, 0);

    /** Both together; nobody is counted in both. */
    public Occupancy plus(Occupancy other) {
        return new Occupancy(
                connections + other.connections,
                publishers + other.publishers,
                subscribers + other.subscribers,
                presenceConnections + other.presenceConnections,
                presenceMembers + other.presenceMembers,
                presenceSubscribers + other.presenceSubscribers);
    }

    /** As it travels, under the wire's names. */
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
