package dev.doyen.hub.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.auth.Revocation;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.claim.Claims;
import dev.doyen.hub.connection.Connections;
import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.Joined;
import dev.doyen.hub.log.LogPosition;
import dev.doyen.hub.log.Logged;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.Refusal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The state of this hub as one of several nodes. This class dispatches the entries of the log in order.
 *
 * <p>Nodes that have read up to the same entry have the same members, messages and list of living nodes. Attachments,
 * claims, waiting claims and local times exist only on the node of their connection.
 */
public final class Nodes {

    private final Channels channels;
    private final Connections connections;
    private final Authenticator authenticator;
    private final SharedLog log;
    private final ConnectionMigration migration;
    private final Claims claims;
    private final OccupancyExchange occupancies;
    private final NodeSnapshot snapshot;
    /** The living nodes, including this node. */
    private final TreeSet<String> living = new TreeSet<>();
    /**
     * The revocations of this node that it has not read from the log yet. Each join appends them again.
     *
     * <p>The set is bounded, because the {@link Authenticator} has a maximum number of revocations, and because a node
     * without a membership accepts no requests.
     */
    private final Set<Revocation> unread = new LinkedHashSet<>();

    public Nodes(
            Channels channels,
            Connections connections,
            Authenticator authenticator,
            SharedLog log,
            ConnectionMigration migration,
            Claims claims,
            OccupancyExchange occupancies,
            ChangeText text) {
        this.channels = channels;
        this.connections = connections;
        this.authenticator = authenticator;
        this.log = log;
        this.migration = migration;
        this.claims = claims;
        this.occupancies = occupancies;
        this.snapshot = new NodeSnapshot(channels, migration, occupancies, text);
    }

    /** Returns true while this node is a member of the group of nodes. */
    public boolean areInTouch() {
        return !log.node().isEmpty();
    }

    public boolean isSettled() {
        return log.isSettled();
    }

    public void joined(StepContext step, Joined joined) {
        LogPosition first = joined.past().isEmpty()
                ? joined.position()
                : joined.past().get(0).position();
        channels.join(joined.series(), before(first));
        for (Logged entry : joined.past()) {
            JsonNode head = ChangeText.head(entry.text());
            step.recordDelay(step.wallMillis() - entry.position().millis());
            switch (head.path("kind").asText()) {
                case "published" -> log.happen(step, entry, head, places(step));
                case "revoked" -> revoked(step, head);
                // The snapshot contains the effects of all other entries.
                default -> {}
            }
            channels.read(entry.position());
        }
        // Forget the connections in these entries. An entry names the node that had the connection at that time; the
        // snapshot names the connection's current node.
        migration.forget(step);
        if (joined.snapshot() != null) {
            living.addAll(snapshot.read(step, joined.snapshot()));
        }
        living.add(joined.node());
        channels.read(joined.position());
        log.join(joined.node());
        unread.forEach(revocation -> append(step, revocation));
        connections.welcome(migration);
    }

    public void logged(StepContext step, List<Logged> entries) {
        for (Logged entry : entries) {
            if (!areInTouch()) {
                return;
            }
            logged(step, entry);
            channels.read(entry.position());
        }
    }

    private void logged(StepContext step, Logged entry) {
        JsonNode head = ChangeText.head(entry.text());
        String node = head.path("node").asText();
        switch (head.path("kind").asText()) {
            case "joined" -> {
                living.add(node);
                welcome(step, node);
            }
            case "evicted" -> {
                living.remove(node);
                migration.evicted(step, node, head.path("by").asText());
                occupancies.evicted(step, node);
                if (node.equals(log.node())) {
                    leave(step, "the other nodes have removed this node; reconnect");
                }
            }
            case OccupancyExchange.KIND -> occupancies.counted(step, head);
            case "taken" -> migration.taken(step, head);
            case "revoked" -> revoked(step, head);
            default -> {
                Change change = log.happen(step, entry, head, places(step));
                // This node has already handled the frames of its own connections when they arrived.
                if (change instanceof Change.Presented presented
                        && !presented.frame().connection().node.isEmpty()) {
                    claims.receivedFromOtherNode(step, presented.frame());
                }
                if (change != null && change.connection() != null) {
                    migration.settle(step, change.connection());
                }
            }
        }
    }

    /**
     * Sends a snapshot to a new node. Only the living node whose name sorts first sends the snapshot. All nodes have
     * the same list of living nodes, so exactly one node sends it.
     */
    private void welcome(StepContext step, String newcomer) {
        for (String each : living) {
            if (!each.equals(newcomer)) {
                if (each.equals(log.node())) {
                    step.show(newcomer, snapshot.write(log.node(), living));
                }
                return;
            }
        }
    }

    public void declined(StepContext step, long number, Declined why) {
        log.declined(step, number, why);
        migration.declined(step, number, why);
    }

    /** Ends the work with the other nodes after this node has lost its membership. */
    public void leave(StepContext step, String why) {
        connections.abandon(step, why);
        log.leave(step);
        migration.forget(step);
        occupancies.forget();
        living.clear();
    }

    /**
     * Revokes tokens on all other nodes. If this node loses its membership before it has read the revocation from the
     * log, it revokes the tokens again when it joins.
     */
    public void revoke(StepContext step, Revocation revocation) {
        unread.add(revocation);
        if (areInTouch()) {
            append(step, revocation);
        }
    }

    private void append(StepContext step, Revocation revocation) {
        var head = ChangeText.head("revoked", log.node(), log.nextNumber());
        head.put("key", revocation.keyName())
                .put("target", revocation.target())
                .put("before", revocation.issuedBeforeMillis());
        step.append(ChangeText.proposal(head));
    }

    private void revoked(StepContext step, JsonNode head) {
        String keyName = head.path("key").asText();
        String target = head.path("target").asText();
        long before = head.path("before").asLong();
        unread.remove(new Revocation(keyName, target, before));
        if (head.path("node").asText().equals(log.node())) {
            return;
        }
        try {
            // The clock of the other node can be ahead, but a revocation must not be in the future.
            long now = Math.max(before, step.wallMillis());
            authenticator.revoke(keyName, target, before, now);
            connections.drop(step, authenticator::isRevoked);
        } catch (Refusal refusal) {
            // This node stores the maximum number of revocations, so it drops this one.
        }
    }

    private ChangeText.Places places(StepContext step) {
        return new ChangeText.Places() {
            @Override
            public Channel channel(String name) {
                return channels.ensure(step, name);
            }

            @Override
            public Connection connection(String id, String node) {
                return migration.resolve(id, node);
            }
        };
    }

    /**
     * Returns the last position before the given position. If the entry at the given position is the oldest that the
     * log contains, every truncated entry has the returned position or an earlier one.
     */
    private static LogPosition before(LogPosition position) {
        return position.number() > 0
                ? new LogPosition(position.millis(), position.number() - 1)
                : new LogPosition(Math.max(0, position.millis() - 1), Long.MAX_VALUE);
    }
}
