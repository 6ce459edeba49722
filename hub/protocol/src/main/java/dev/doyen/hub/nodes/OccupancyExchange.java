package dev.doyen.hub.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.OccupancySender;
import dev.doyen.hub.channel.RemoteOccupancy;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.Occupancy;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges the number of connections per channel between the nodes of a hub.
 *
 * <p>This class does not count members, because every node has all members. A node reports all changed channels in one
 * log entry, or in several entries if more than {@value #MAX_PER_ENTRY} channels have changed. The node then waits for
 * {@link OccupancySender#INTERVAL} before the next report. A thousand clients that attach to a channel within that
 * interval therefore cause one entry. An entry contains totals instead of differences. Therefore the counts stay
 * correct if a node reads an entry twice, or reads an entry whose counts a snapshot already included.
 *
 * <p>The counts of a dead node are removed when the node is evicted. The clients of that node have lost their sockets
 * and count at the node to which they reconnect. Channels that no node uses are not stored. Each node reports at most
 * {@link HubSettings#maxChannels} channels.
 */
public final class OccupancyExchange implements RemoteOccupancy {

    public static final String KIND = "counted";

    /**
     * The maximum number of channels in an entry. An entry with this number of channels is much smaller than the
     * largest frame.
     */
    public static final int MAX_PER_ENTRY = 200;

    private final Timers timers;
    private final Channels channels;
    private final SharedLog log;

    /** The counts by channel and by node, without this node. */
    private final Map<String, Map<String, Occupancy>> elsewhere = new TreeMap<>();
    /** The counts that this node has written to the log. */
    private final Map<String, Occupancy> announced = new TreeMap<>();

    private final Set<String> changed = new LinkedHashSet<>();
    private Timers.@Nullable Timer due;
    private long announcedNanos;
    private boolean hasAnnounced;

    public OccupancyExchange(Timers timers, Channels channels, SharedLog log) {
        this.timers = timers;
        this.channels = channels;
        this.log = log;
    }

    @Override
    public void changed(StepContext step, Channel channel) {
        if (log.node().isEmpty() || !changed.add(channel.name) || due != null) {
            return;
        }
        long allowed = announcedNanos + OccupancySender.INTERVAL.toNanos();
        boolean early = hasAnnounced && allowed - step.nanos() > 0;
        due = timers.set(early ? allowed : step.nanos(), this::announce);
    }

    private void announce(StepContext step) {
        due = null;
        List<String> names = List.copyOf(changed);
        changed.clear();
        ObjectNode counts = JsonNodeFactory.instance.objectNode();
        for (String name : names) {
            Channel channel = channels.find(name);
            Occupancy now = channel == null ? Occupancy.NOBODY : channel.attached();
            Occupancy before = now.connections() == 0 ? announced.remove(name) : announced.put(name, now);
            if (!now.equals(before == null ? Occupancy.NOBODY : before)) {
                counts.set(name, numbers(now));
            }
            if (counts.size() == MAX_PER_ENTRY) {
                append(step, counts);
                counts = JsonNodeFactory.instance.objectNode();
            }
        }
        if (!counts.isEmpty()) {
            append(step, counts);
        }
    }

    private void append(StepContext step, ObjectNode counts) {
        hasAnnounced = true;
        announcedNanos = step.nanos();
        ObjectNode head = ChangeText.head(KIND, log.node(), log.nextNumber());
        head.set("channels", counts);
        step.append(ChangeText.proposal(head));
    }

    /** Applies the counts in a log entry of another node. */
    void counted(StepContext step, JsonNode head) {
        String node = head.path("node").asText();
        if (!node.equals(log.node())) {
            put(step, node, head.path("channels"));
        }
    }

    private void put(StepContext step, String node, JsonNode numbers) {
        for (Map.Entry<String, JsonNode> each : numbers.properties()) {
            Occupancy count = read(each.getValue());
            if (count.connections() == 0) {
                forget(each.getKey(), node);
            } else {
                elsewhere
                        .computeIfAbsent(each.getKey(), channel -> new TreeMap<>())
                        .put(node, count);
            }
            occupancyChanged(step, each.getKey());
        }
    }

    /** Removes the counts of an evicted node. */
    void evicted(StepContext step, String dead) {
        for (String channel : List.copyOf(elsewhere.keySet())) {
            if (forget(channel, dead)) {
                occupancyChanged(step, channel);
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

    private void occupancyChanged(StepContext step, String name) {
        Channel channel = channels.find(name);
        if (channel != null) {
            channels.occupancy().changed(step, channel);
        }
    }

    @Override
    public Occupancy elsewhere(String channel) {
        Occupancy sum = Occupancy.NOBODY;
        for (Occupancy count : elsewhere.getOrDefault(channel, Map.of()).values()) {
            sum = sum.plus(count);
        }
        return sum;
    }

    @Override
    public Collection<String> usedElsewhere() {
        return elsewhere.keySet();
    }

    /** Returns the counts of all nodes for the snapshot of a joining node. The counts include this node. */
    ObjectNode written() {
        Map<String, ObjectNode> byNode = new TreeMap<>();
        elsewhere.forEach((channel, counts) -> counts.forEach(
                (node, count) -> byNode.computeIfAbsent(node, any -> JsonNodeFactory.instance.objectNode())
                        .set(channel, numbers(count))));
        ObjectNode own = JsonNodeFactory.instance.objectNode();
        announced.forEach((channel, count) -> own.set(channel, numbers(count)));
        byNode.put(log.node(), own);
        return JsonNodeFactory.instance.objectNode().setAll(byNode);
    }

    /** Reads the counts from another node's snapshot. */
    void read(StepContext step, JsonNode written) {
        written.properties().forEach(node -> put(step, node.getKey(), node.getValue()));
    }

    /**
     * Removes all counts after this node has lost its membership in the group of nodes. The other nodes have also
     * removed the counts of this node.
     */
    void forget() {
        elsewhere.clear();
        announced.clear();
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
