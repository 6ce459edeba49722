package dev.doyen.hub;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.nodes.Declined;
import dev.doyen.hub.nodes.LogPosition;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.PublishResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Connections between nodes: those at others, as far as they have members; those that come here; those that go; and what
 * a dead node leaves behind.
 *
 * <p>Of a connection at another node that node decides. Once it is buried, the node that buried it does: its claims end at
 * once, its members leave after the grace, unless their connection is taken over before.
 */
final class Roaming {

    private final HubSettings settings;
    private final Timers timers;
    private final Connections connections;
    private final Channels channels;
    private final SharedLog log;

    private final Map<String, Connection> elsewhere = new LinkedHashMap<>();
    /** By the number of the question. */
    private final Map<Long, Arrival> arriving = new HashMap<>();
    /** Who sees to what a dead node left behind, itself included until it dies. */
    private final Map<String, String> heirs = new HashMap<>();

    /** A socket that asked for a connection which is not here. */
    record Arrival(SessionId session, ConnectParams params, Access access, String entropy) {}

    Roaming(HubSettings settings, Timers timers, Connections connections, Channels channels, SharedLog log) {
        this.settings = settings;
        this.timers = timers;
        this.connections = connections;
        this.channels = channels;
        this.log = log;
    }

    /** What an entry of a node means by a connection. */
    Connection resolve(String id, String node) {
        Connection here = connections.find(id);
        // There are few nodes, and each of their connections comes with a copy of its node's name.
        return here != null ? here : elsewhere.computeIfAbsent(id, any -> Connection.elsewhere(id, node.intern()));
    }

    /** Forgets a connection elsewhere that has no members any more. */
    void settle(Connection connection) {
        if (!connection.node.isEmpty() && connection.members.isEmpty()) {
            stopGrace(connection);
            elsewhere.remove(connection.id, connection);
        }
    }

    /** A client asks for a connection by a key that is none of this node's. */
    void ask(Turn turn, Arrival arrival, String key) {
        long number = log.nextNumber();
        arriving.put(number, arrival);
        String id = key.substring(0, Math.max(0, key.indexOf('!')));
        turn.takeOver(new NodeEffect.TakeOver(
                number, id, Digests.of(key), arrival.params().clientId()));
    }

    /** The socket is gone; what was asked for it may come nevertheless. */
    void lost(SessionId session) {
        arriving.replaceAll((number, arrival) -> arrival.session().equals(session)
                ? new Arrival(SessionId.NONE, arrival.params(), arrival.access(), arrival.entropy())
                : arrival);
    }

    /** It cannot come here. */
    void declined(Turn turn, long number, Declined why) {
        Arrival arrival = arriving.remove(number);
        if (arrival != null && !arrival.session().equals(SessionId.NONE)) {
            boolean anothers = why instanceof Declined.AnothersClient;
            connections.begin(turn, arrival, anothers ? Connections.ANOTHERS : Connections.UNKNOWN);
        }
    }

    /** The log says that a node has this connection from now on. */
    void taken(Turn turn, JsonNode head) {
        String id = head.path("connection").asText();
        String node = head.path("node").asText();
        boolean here = node.equals(log.node());
        Connection before = connections.find(id);
        // Also if it comes here again: by a key that only the others remember.
        if (before != null) {
            connections.goElsewhere(
                    turn, before, ErrorCode.SOCKET_GIVEN_UP.because("the connection went on at another node"));
        }
        Connection known = before != null ? before : elsewhere.get(id);
        if (here) {
            Arrival arrival = arriving.remove(head.path("number").asLong());
            if (arrival != null) {
                arrive(turn, id, arrival, known, answers(head.path("answers")));
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
            Turn turn,
            String id,
            Arrival arrival,
            @Nullable Connection known,
            SortedMap<Long, ProtocolMessage> answers) {
        var connection = new Connection(id, arrival.params(), arrival.access(), settings, turn.nanos());
        connection.acks.restore(answers);
        if (known != null) {
            elsewhere.remove(id);
            move(known, connection);
        }
        connections.arrive(turn, arrival, connection);
        endClaims(turn, connection, "its connection went on at another node");
    }

    /** The members are the same; only where their connection is has changed. */
    private void move(Connection from, Connection to) {
        stopGrace(from);
        for (Member member : from.members) {
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

    /** The log says that a node is dead, and who sees to what it left. */
    void buried(Turn turn, String dead, String by) {
        heirs.replaceAll((node, heir) -> heir.equals(dead) ? by : heir);
        heirs.put(dead, by);
        if (!by.equals(log.node())) {
            return;
        }
        for (Connection connection : List.copyOf(elsewhere.values())) {
            if (by.equals(heirs.get(connection.node)) && connection.grace == null) {
                endClaims(turn, connection, "the node it was connected to is gone");
                long due = turn.nanos() + settings.remainPresentFor().toNanos();
                connection.grace = timers.set(due, later -> {
                    connection.grace = null;
                    for (Channel channel : connection.channels()) {
                        log.append(later, new Change.Left(channel, connection), Log.UNHEARD);
                    }
                });
            }
        }
    }

    /** A lease does not move with a connection, nor outlive its node: whoever led has to claim again. */
    private void endClaims(Turn turn, Connection connection, String why) {
        for (Member member : connection.members) {
            if (member.claim != null) {
                log.append(turn, new Change.Demoted(member.channel, connection, member.clientId, why, ""), Log.UNHEARD);
            }
        }
    }

    /** This node is out of touch: what it knew of others is nothing any more, and nobody will come here from them. */
    void forget(Turn turn) {
        for (Arrival arrival : arriving.values()) {
            if (!arrival.session().equals(SessionId.NONE)) {
                Connections.refuse(turn, arrival.session(), Action.DISCONNECTED, Connections.OUT_OF_TOUCH);
            }
        }
        elsewhere.values().forEach(this::stopGrace);
        elsewhere.clear();
        arriving.clear();
        heirs.clear();
    }

    Map<String, String> heirs() {
        return heirs;
    }

    /** From what the log keeps of each frame that happened: where, and how many messages it had. */
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
