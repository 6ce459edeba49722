package dev.doyen.hub.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.auth.Digests;
import dev.doyen.hub.auth.KeyChange;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.channel.Member;
import dev.doyen.hub.connection.ConnectAttempt;
import dev.doyen.hub.connection.ConnectionMoves;
import dev.doyen.hub.connection.Connections;
import dev.doyen.hub.history.ChannelSerials;
import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.LogPosition;
import dev.doyen.hub.quota.Resource;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.NodeEffect;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.PublishResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tracks connections at other nodes and moves connections between nodes.
 *
 * <p>The node of a connection makes all decisions about the connection. After that node is evicted, the node that
 * evicted it makes the decisions. The evicting node ends the connection's claims at once. It removes the members after
 * the grace period, unless the connection has moved to another node by then.
 */
public final class ConnectionMigration implements ConnectionMoves {

    private static final String MOVED = "its connection moved to another node";

    private final HubSettings settings;
    private final Timers timers;
    private final Connections connections;
    private final Channels channels;
    private final SharedLog log;

    /**
     * The connections that have members and are at other nodes. The map also contains the ended connections of this
     * node whose members have not left yet.
     */
    private final Map<String, Connection> elsewhere = new LinkedHashMap<>();
    /** The takeovers in progress, by the number of their {@link NodeEffect.TakeOver}. */
    private final Map<Long, ConnectAttempt> arriving = new HashMap<>();
    /** The nodes that decide about the connections of evicted nodes. The key is the evicted node. */
    private final Map<String, String> successors = new HashMap<>();

    public ConnectionMigration(
            HubSettings settings, Timers timers, Connections connections, Channels channels, SharedLog log) {
        this.settings = settings;
        this.timers = timers;
        this.connections = connections;
        this.channels = channels;
        this.log = log;
    }

    /** Returns the connection that a log entry names. */
    Connection resolve(String id, String node) {
        Connection here = connections.find(id);
        // Intern the node's name, so that the many connections of a node share one string.
        return here != null ? here : elsewhere.computeIfAbsent(id, any -> Connection.elsewhere(id, node.intern()));
    }

    /**
     * Removes a connection that this node does not have, after its last member has left.
     *
     * <p>A connection can move away from this node and return while the log contains an unread frame of its former
     * time at this node. When the node reads this frame, it adds members to the former connection. The members then move to the present
     * connection, and their claims end, because the hub has already released the leases.
     */
    void settle(StepContext step, Connection connection) {
        Connection present = connections.find(connection.id);
        if (present == connection) {
            return;
        }
        if (present != null && !connection.members.isEmpty()) {
            endClaims(step, connection, MOVED);
            move(connection, present);
        } else if (connection.members.isEmpty()) {
            stopGrace(connection);
            elsewhere.remove(connection.id, connection);
        } else {
            elsewhere.putIfAbsent(connection.id, connection);
        }
    }

    @Override
    public void ended(StepContext step, Connection connection) {
        // The log can reject the departure of the members, because another node has the connection. The members then
        // move to that node.
        settle(step, connection);
    }

    @Override
    public void request(StepContext step, ConnectAttempt arrival, String key) {
        long number = log.nextNumber();
        arriving.put(number, arrival);
        step.takeOver(new NodeEffect.TakeOver(
                number, Connection.idIn(key), Digests.of(key), arrival.params().clientId()));
    }

    @Override
    public void lost(SessionId session) {
        arriving.replaceAll(
                (number, arrival) -> arrival.session().equals(session) ? arrival.withoutSession() : arrival);
    }

    @Override
    public void keysChanged(StepContext step, KeyChange change) {
        arriving.replaceAll((number, arrival) -> {
            boolean same = change.applyTo(arrival.access()).equals(Optional.of(arrival.access()));
            if (same || arrival.session().equals(SessionId.NONE)) {
                return arrival;
            }
            ErrorInfo why = ErrorCode.SOCKET_GIVEN_UP.because("the keys of the hub have changed; connect again");
            Connections.refuse(step, arrival.session(), Action.DISCONNECTED, why);
            return arrival.withoutSession();
        });
    }

    /** Handles a declined move. The client then receives a new connection. */
    void declined(StepContext step, long number, Declined why) {
        ConnectAttempt arrival = arriving.remove(number);
        if (arrival != null && !arrival.session().equals(SessionId.NONE)) {
            boolean anothers = why instanceof Declined.AnothersClient;
            connections.begin(step, arrival, anothers ? Connections.ANOTHERS : Connections.UNKNOWN);
        }
    }

    /** Applies a log entry that moves a connection to a node. */
    void taken(StepContext step, JsonNode head) {
        String id = head.path("connection").asText();
        String node = head.path("node").asText();
        boolean here = node.equals(log.node());
        Connection before = connections.find(id);
        // The connection was at this node until now. The entry names this node again if the client resumed with a key
        // that only the log still stores.
        if (before != null) {
            connections.goElsewhere(
                    step, before, ErrorCode.SOCKET_GIVEN_UP.because("the connection moved to another node"));
        }
        Connection known = before != null ? before : elsewhere.get(id);
        if (here) {
            ConnectAttempt arrival = arriving.remove(head.path("number").asLong());
            if (arrival != null) {
                arrive(step, id, arrival, known, answers(head.path("answers")));
            }
        } else if (known != null) {
            Connection there = Connection.elsewhere(id, node);
            move(known, there);
            elsewhere.remove(id);
            if (!there.members.isEmpty()) {
                elsewhere.put(id, there);
            }
        }
    }

    private void arrive(
            StepContext step,
            String id,
            ConnectAttempt arrival,
            @Nullable Connection known,
            SortedMap<Long, ProtocolMessage> answers) {
        Connection connection = arrival.connection(id, settings, step.nanos());
        connection.acks.restore(answers);
        if (known != null) {
            elsewhere.remove(id);
            move(known, connection);
        }
        // End the claims before members leave, so that the holder receives the end of its claim.
        endClaims(step, connection, MOVED);
        connections.arrive(step, arrival, connection);
    }

    /** Moves the members to the new connection object. */
    private void move(Connection from, Connection to) {
        stopGrace(from);
        for (Member member : from.members) {
            from.usage.add(Resource.PRESENCE_BYTES, -member.bytes());
            to.usage.add(Resource.PRESENCE_BYTES, member.bytes());
            member.connection = to;
            to.members.add(member);
        }
        from.members.clear();
    }

    private void stopGrace(Connection connection) {
        if (connection.grace != null) {
            timers.cancel(connection.grace);
            connection.grace = null;
        }
    }

    /**
     * Applies a log entry that evicts a dead node. The evicting node then decides about the connections of the dead
     * node.
     */
    void evicted(StepContext step, String dead, String by) {
        successors.replaceAll((node, successor) -> successor.equals(dead) ? by : successor);
        successors.put(dead, by);
        if (!by.equals(log.node())) {
            return;
        }
        for (Connection connection : List.copyOf(elsewhere.values())) {
            if (by.equals(successors.get(connection.node)) && connection.grace == null) {
                endClaims(step, connection, "the node of its connection has stopped");
                long due = step.nanos() + settings.remainPresentFor().toNanos();
                connection.grace = timers.set(due, later -> {
                    connection.grace = null;
                    for (Channel channel : connection.channels()) {
                        log.append(later, new Change.Left(channel, connection), Log.IGNORED);
                    }
                });
            }
        }
    }

    /**
     * Ends the claims of a connection. A lease belongs to the node that acquired it and cannot move to another node.
     */
    private void endClaims(StepContext step, Connection connection, String why) {
        for (Member member : connection.members) {
            if (member.claim != null) {
                log.append(step, new Change.Demoted(member.channel, connection, member.clientId, why, ""), Log.IGNORED);
            }
        }
    }

    /**
     * Removes all state of other nodes. The method also disconnects the sockets that wait for a connection from another
     * node.
     */
    void forget(StepContext step) {
        for (ConnectAttempt arrival : arriving.values()) {
            if (!arrival.session().equals(SessionId.NONE)) {
                Connections.refuse(step, arrival.session(), Action.DISCONNECTED, Log.OUT_OF_TOUCH);
            }
        }
        elsewhere.values().forEach(this::stopGrace);
        elsewhere.clear();
        arriving.clear();
        successors.clear();
    }

    Map<String, String> successors() {
        return successors;
    }

    /**
     * Restores answers from the log's record of applied frames. The record contains the position and the number of
     * messages of each frame.
     */
    private SortedMap<Long, ProtocolMessage> answers(JsonNode kept) {
        SortedMap<Long, ProtocolMessage> answers = new TreeMap<>();
        kept.properties().forEach(each -> {
            long msgSerial = Long.parseLong(each.getKey());
            String[] parts = each.getValue().asText().split("/", -1);
            var serials = new ArrayList<String>();
            for (int i = 0; i < Integer.parseInt(parts[1]); i++) {
                serials.add(ChannelSerials.ofItem(channels.serialAt(LogPosition.parse(parts[0])), i));
            }
            var answer =
                    ProtocolMessage.builder(Action.ACK).msgSerial(msgSerial).count(1);
            answers.put(
                    msgSerial, (serials.isEmpty() ? answer : answer.res(List.of(new PublishResult(serials)))).build());
        });
        return answers;
    }
}
