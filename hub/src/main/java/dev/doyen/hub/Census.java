package dev.doyen.hub;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.wire.Occupancy;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How many connections use each channel at the other nodes, and what those are told of this one's. Members are not counted
 * here: every node knows all of them.
 *
 * <p>A node tells what has changed, all channels together, and then nothing for {@link OccupancyNews#INTERVAL}; so a thousand
 * who come within it are one entry of the log. It says how many there are, not how many came: an entry that is read twice, or
 * after a snapshot that knew it, does no harm. A dead node's numbers end as it is buried: those whom it counted have no
 * socket, and are counted where they come back. What no node uses is not remembered; what is, is bounded by what each node
 * may have, {@link HubSettings#maxChannels}.
 */
final class Census {

    static final String KIND = "counted";

    /** So that an entry stays far below what a frame may be. */
    static final int MAX_PER_ENTRY = 200;

    private final Timers timers;
    private final Channels channels;
    private final SharedLog log;

    /** By channel, then by node; never of this node. */
    private final Map<String, Map<String, Occupancy>> elsewhere = new TreeMap<>();
    /** What the others know of this node, or will. */
    private final Map<String, Occupancy> told = new TreeMap<>();

    private final Set<String> changed = new LinkedHashSet<>();
    private Timers.@Nullable Timer due;
    private long toldNanos;
    private boolean hasTold;

    Census(Timers timers, Channels channels, SharedLog log) {
        this.timers = timers;
        this.channels = channels;
        this.log = log;
    }

    /** Who is attached here has changed. */
    void changed(Turn turn, Channel channel) {
        if (log.node().isEmpty() || !changed.add(channel.name) || due != null) {
            return;
        }
        long allowed = toldNanos + OccupancyNews.INTERVAL.toNanos();
        boolean early = hasTold && allowed - turn.nanos() > 0;
        due = timers.set(early ? allowed : turn.nanos(), this::tell);
    }

    private void tell(Turn turn) {
        due = null;
        List<String> names = List.copyOf(changed);
        changed.clear();
        ObjectNode news = JsonNodeFactory.instance.objectNode();
        for (String name : names) {
            Channel channel = channels.find(name);
            Occupancy now = channel == null ? Occupancy.NOBODY : channel.attached();
            Occupancy before = now.connections() == 0 ? told.remove(name) : told.put(name, now);
            if (!now.equals(before == null ? Occupancy.NOBODY : before)) {
                news.set(name, numbers(now));
            }
            if (news.size() == MAX_PER_ENTRY) {
                append(turn, news);
                news = JsonNodeFactory.instance.objectNode();
            }
        }
        if (!news.isEmpty()) {
            append(turn, news);
        }
    }

    private void append(Turn turn, ObjectNode news) {
        hasTold = true;
        toldNanos = turn.nanos();
        ObjectNode head = ChangeText.head(KIND, log.node(), log.nextNumber());
        head.set("channels", news);
        turn.append(ChangeText.proposal(head));
    }

    /** The log says what a node has counted. */
    void counted(Turn turn, JsonNode head) {
        String node = head.path("node").asText();
        if (!node.equals(log.node())) {
            put(turn, node, head.path("channels"));
        }
    }

    private void put(Turn turn, String node, JsonNode numbers) {
        for (Map.Entry<String, JsonNode> each : numbers.properties()) {
            Occupancy count = read(each.getValue());
            if (count.connections() == 0) {
                forget(each.getKey(), node);
            } else {
                elsewhere
                        .computeIfAbsent(each.getKey(), channel -> new TreeMap<>())
                        .put(node, count);
            }
            news(turn, each.getKey());
        }
    }

    /** The log says that a node is dead. */
    void buried(Turn turn, String dead) {
        for (String channel : List.copyOf(elsewhere.keySet())) {
            if (forget(channel, dead)) {
                news(turn, channel);
            }
        }
    }

    private boolean forget(String channel, String node) {
        Map<String, Occupancy> counts = elsewhere.get(channel);
        boolean known = counts != null && counts.remove(node) != null;
        if (counts != null && counts.isEmpty()) {
            elsewhere.remove(channel);
        }
        return known;
    }

    private void news(Turn turn, String name) {
        Channel channel = channels.find(name);
        if (channel != null) {
            channels.occupancy().changed(turn, channel);
        }
    }

    /** The connections of all other nodes. */
    Occupancy elsewhere(String channel) {
        Occupancy sum = Occupancy.NOBODY;
        for (Occupancy count : elsewhere.getOrDefault(channel, Map.of()).values()) {
            sum = sum.plus(count);
        }
        return sum;
    }

    /** The channels that connections of other nodes use. */
    Collection<String> usedElsewhere() {
        return elsewhere.keySet();
    }

    /** What this node knows and has told, by node, for one that joins. */
    ObjectNode written() {
        Map<String, ObjectNode> byNode = new TreeMap<>();
        elsewhere.forEach((channel, counts) -> counts.forEach(
                (node, count) -> byNode.computeIfAbsent(node, any -> JsonNodeFactory.instance.objectNode())
                        .set(channel, numbers(count))));
        ObjectNode own = JsonNodeFactory.instance.objectNode();
        told.forEach((channel, count) -> own.set(channel, numbers(count)));
        byNode.put(log.node(), own);
        return JsonNodeFactory.instance.objectNode().setAll(byNode);
    }

    /** What another node wrote. */
    void read(Turn turn, JsonNode written) {
        written.properties().forEach(node -> put(turn, node.getKey(), node.getValue()));
    }

    /** This node is out of touch: what it knew of others is nothing any more, and they forget it. */
    void forget() {
        elsewhere.clear();
        told.clear();
    }

    private static ArrayNode numbers(Occupancy count) {
        return JsonNodeFactory.instance
                .arrayNode()
                .add(count.connections())
                .add(count.publishers())
                .add(count.subscribers())
                .add(count.presenceConnections())
                .add(count.presenceSubscribers());
    }

    private static Occupancy read(JsonNode numbers) {
        return new Occupancy(
                numbers.path(0).asInt(),
                numbers.path(1).asInt(),
                numbers.path(2).asInt(),
                numbers.path(3).asInt(),
                0,
                numbers.path(4).asInt());
    }
}
