package dev.doyen.hub.connection;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Digests;
import dev.doyen.hub.auth.KeyChange;
import dev.doyen.hub.channel.ConnectParams;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.quota.Accounts;
import dev.doyen.hub.quota.Resource;
import dev.doyen.hub.quota.Usage;
import dev.doyen.hub.ratelimit.CredentialCheck;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.NodeEffect;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ConnectionDetails;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Opens, resumes and ends connections.
 *
 * <p>A connection has a socket or waits for a new one. During the wait, the hub stores the connection's members for a
 * grace period and its state for {@code connectionStateTtl}. The hub sends the reason in a frame before it closes a
 * socket, because some SDKs ignore the reason in the WebSocket close. The class is long, because opening, resuming and
 * ending a connection change the same tables.
 */
public final class Connections {

    public static final ErrorInfo ANOTHERS = ErrorCode.INCOMPATIBLE_RESUME.because(
            "the connection to resume belongs to another client; this is a new connection");
    public static final ErrorInfo UNKNOWN =
            ErrorCode.BAD_CONNECTION_KEY.because("the connection to resume does not exist; this is a new connection");

    private static final String NO_KEYS = "this address of the hub accepts no keys; connect with a token";

    /** The reason for the withdrawal of the waiting claims of a connection that ends. */
    private static final String ENDED = "its connection ended";

    private final HubSettings settings;
    private final CredentialCheck credentials;
    private final Accounts accounts;
    private final Timers timers;
    private final Departures departures;
    private final TokenTimers tokens;
    /** Moves connections between the nodes; null on a single hub. */
    private @Nullable ConnectionMoves moves;

    private boolean outOfTouch;
    private final Map<String, Connection> byId = new LinkedHashMap<>();
    private final Map<SessionId, Connection> bySession = new LinkedHashMap<>();
    /** The connections without a socket, in the order in which they lost it. */
    private final Set<Connection> lost = new LinkedHashSet<>();

    public Connections(
            HubSettings settings,
            CredentialCheck credentials,
            Accounts accounts,
            Timers timers,
            Departures departures) {
        this.settings = settings;
        this.credentials = credentials;
        this.accounts = accounts;
        this.timers = timers;
        this.departures = departures;
        this.tokens = new TokenTimers(timers);
    }

    public Optional<Connection> of(SessionId session) {
        return Optional.ofNullable(bySession.get(session));
    }

    /** Returns the number of connections with and without a socket. */
    public int count() {
        return byId.size();
    }

    /** Returns the number of connections that have a socket. */
    public int socketCount() {
        return bySession.size();
    }

    @Nullable
    public Connection find(String id) {
        return byId.get(id);
    }

    /** Handles a new socket: authenticates its client, and opens or resumes a connection. */
    public void open(StepContext step, SessionId session, ConnectRequest request, String entropy) {
        Access access;
        ConnectParams params;
        try {
            if (request.needsToken() && request.params().containsKey("key")) {
                throw new Refusal(ErrorCode.BAD_CREDENTIALS, NO_KEYS);
            }
            access = credentials.ofQuery(request.params(), request.address(), step.wallMillis(), step.nanos());
            params = ConnectParams.read(request.params(), access, settings);
        } catch (Refusal refusal) {
            // A rate-limited client must retry. SDKs retry only after DISCONNECTED.
            boolean later = refusal.error().code() == ErrorCode.RATE_LIMITED.code();
            refuse(step, session, later ? Action.DISCONNECTED : Action.ERROR, refusal.error());
            return;
        }
        if (outOfTouch) {
            refuse(step, session, Action.DISCONNECTED, Log.OUT_OF_TOUCH);
            return;
        }
        var arrival = new ConnectAttempt(session, params, access, accounts.open(access, request.address()), entropy);
        String key = params.resumeKey().orElse(null);
        Connection former = key == null ? null : byKey(key);
        if (former != null && Objects.equals(former.clientId, params.clientId())) {
            resume(step, arrival, former);
        } else if (former == null && key != null && moves != null) {
            moves.request(step, arrival, key);
        } else {
            begin(step, arrival, former != null ? ANOTHERS : key != null ? UNKNOWN : null);
        }
    }

    /**
     * Creates a connection for a socket.
     *
     * @param error the reason why the connection does not resume an earlier connection; null if the client requested no
     *     resume
     */
    public void begin(StepContext step, ConnectAttempt arrival, @Nullable ErrorInfo error) {
        if (!makeRoom(step)) {
            // Send DISCONNECTED, because an SDK retries after DISCONNECTED and stops after ERROR.
            String sentence = "the hub has " + byId.size() + " connections, its limit; try again later";
            refuse(step, arrival.session(), Action.DISCONNECTED, ErrorCode.UNAVAILABLE.because(sentence));
            return;
        }
        try {
            makeRoomFor(step, arrival.usage());
            arrival.usage().check(Resource.CONNECTIONS, 1);
        } catch (Refusal refusal) {
            refuse(step, arrival.session(), Action.DISCONNECTED, refusal.error());
            return;
        }
        Connection connection = arrival.connection(newId(arrival.entropy()), settings, step.nanos());
        add(connection);
        connected(step, arrival.session(), connection, arrival.entropy(), error);
    }

    /**
     * Adds a connection that has moved to this node from another node. The socket can already be lost. If the
     * connection's access does not allow a member, the member leaves its channel.
     */
    public void arrive(StepContext step, ConnectAttempt arrival, Connection connection) {
        add(connection);
        if (arrival.session().equals(SessionId.NONE)) {
            await(step, connection);
        } else {
            connected(step, arrival.session(), connection, arrival.entropy(), null);
        }
        departures.adapt(step, connection);
    }

    /**
     * Removes a connection that continues at another node. The members move with the connection, and the claims end.
     */
    public void goElsewhere(StepContext step, Connection connection, ErrorInfo why) {
        closeSocket(step, connection, why);
        detachSocket(step, connection);
        stopWaiting(connection);
        remove(connection);
        departures.goElsewhere(step, connection);
    }

    /**
     * Disconnects all clients, so that they connect to other nodes. The caller calls this method after this node has
     * lost its membership in the group of nodes. The clients' claims on this node end.
     */
    public void abandon(StepContext step, String why) {
        outOfTouch = true;
        ErrorInfo error = ErrorCode.UNAVAILABLE.because(why);
        List.copyOf(byId.values()).forEach(connection -> goElsewhere(step, connection, error));
    }

    /** Records that this node is not yet a member of the group of nodes. */
    public void awaitCompany() {
        outOfTouch = true;
    }

    /** Records that this node is now a member of the group of nodes. */
    public void welcome(ConnectionMoves withOthers) {
        moves = withOthers;
        outOfTouch = false;
    }

    /** Handles a lost socket. The connection then waits for a new socket. */
    public void lose(StepContext step, SessionId session) {
        Connection connection = bySession.remove(session);
        if (connection == null) {
            if (moves != null) {
                moves.lost(session);
            }
            return;
        }
        detachSocket(step, connection);
        await(step, connection);
    }

    /** Starts the timers of a connection without a socket. */
    private void await(StepContext step, Connection connection) {
        lost.add(connection);
        // A holder may lead until its promise ends (rule C6). The members must not leave before that time.
        long graceNanos =
                Math.max(connection.params.remainPresentNanos(), connection.promisedUntilNanos() - step.nanos());
        connection.grace = timers.set(step.nanos() + graceNanos, later -> {
            connection.grace = null;
            departures.removeAll(later, connection, "its connection was lost");
        });
        long ttlNanos = settings.connectionStateTtl().toNanos();
        connection.expiry = timers.set(step.nanos() + ttlNanos, later -> forget(later, connection));
    }

    /** Closes the socket and keeps the connection, so that the client can resume it. */
    void disconnect(StepContext step, Connection connection, @Nullable ErrorInfo error) {
        if (connection.session != null) {
            closeSocket(step, connection, error);
            detachSocket(step, connection);
            await(step, connection);
        }
    }

    /** Sends DISCONNECTED and closes the socket if the connection has a socket. */
    private void closeSocket(StepContext step, Connection connection, @Nullable ErrorInfo why) {
        SessionId session = connection.session;
        if (session != null) {
            step.send(
                    connection,
                    ProtocolMessage.builder(Action.DISCONNECTED).error(why).build());
            step.close(session);
            bySession.remove(session);
        }
    }

    /** Ends the connection with an error. The client can still lead, so rule C19 applies to its claims. */
    public void fail(StepContext step, Connection connection, ErrorInfo error) {
        var last = ProtocolMessage.builder(Action.ERROR).error(error).build();
        sendLast(step, connection, last);
        forget(step, connection);
    }

    /** Ends the connection after the client's CLOSE, and releases the leases of its claims at once. */
    void close(StepContext step, Connection connection) {
        sendLast(step, connection, ProtocolMessage.of(Action.CLOSED));
        discard(step, connection);
        departures.leaveAll(step, connection, ENDED);
        discharge(step, connection);
    }

    private static void sendLast(StepContext step, Connection connection, ProtocolMessage last) {
        SessionId session = connection.session;
        if (session != null) {
            step.send(connection, last);
            step.close(session);
        }
    }

    /** Ends the connection although the client has not asked for it. */
    private void forget(StepContext step, Connection connection) {
        discard(step, connection);
        departures.removeAll(step, connection, ENDED);
        discharge(step, connection);
    }

    /** Removes the connection and its attachments. Its members and claims remain. */
    private void discard(StepContext step, Connection connection) {
        if (connection.session != null) {
            bySession.remove(connection.session);
        }
        detachSocket(step, connection);
        stopWaiting(connection);
        remove(connection);
    }

    /** Reports to the other nodes that the connection has ended. */
    private void discharge(StepContext step, Connection connection) {
        if (moves != null) {
            step.discharge(connection.id);
            moves.ended(step, connection);
        }
    }

    /** Ends the heartbeats, the token timer and the attachments of a connection. These parts require a socket. */
    private void detachSocket(StepContext step, Connection connection) {
        connection.session = null;
        connection.syncProgress.flushed();
        if (connection.heartbeat != null) {
            timers.cancel(connection.heartbeat);
            connection.heartbeat = null;
        }
        tokens.cancel(connection);
        departures.detachAll(step, connection);
    }

    private void add(Connection connection) {
        if (byId.put(connection.id, connection) == null) {
            connection.usage.add(Resource.CONNECTIONS, 1);
        }
    }

    private void remove(Connection connection) {
        if (byId.remove(connection.id) != null) {
            connection.usage.add(Resource.CONNECTIONS, -1);
        }
    }

    private void stopWaiting(Connection connection) {
        lost.remove(connection);
        if (connection.grace != null) {
            timers.cancel(connection.grace);
            connection.grace = null;
        }
        if (connection.expiry != null) {
            timers.cancel(connection.expiry);
            connection.expiry = null;
        }
    }

    private void resume(StepContext step, ConnectAttempt arrival, Connection connection) {
        if (connection.session != null) {
            closeSocket(step, connection, ErrorCode.SOCKET_GIVEN_UP.because("another socket resumed this connection"));
            detachSocket(step, connection);
        }
        stopWaiting(connection);
        connection.params = arrival.params();
        connection.access = arrival.access();
        connection.usage.moveTo(arrival.usage());
        connected(step, arrival.session(), connection, arrival.entropy(), null);
        departures.adapt(step, connection);
    }

    private void connected(
            StepContext step, SessionId session, Connection connection, String entropy, @Nullable ErrorInfo error) {
        connection.addKey(connection.id + "!" + entropy);
        connection.session = session;
        connection.lastReceivedNanos = step.nanos();
        bySession.put(session, connection);
        if (moves != null) {
            step.enroll(new NodeEffect.Enroll(connection.id, connection.clientId, connection.keyDigests()));
        }
        greet(step, connection, error);
        armHeartbeat(connection);
        watchToken(step, connection);
    }

    /** Applies the access of a new token, or of a key with another capability. */
    void renew(StepContext step, Connection connection, Access access) {
        connection.access = access;
        accounts.move(connection.usage, access);
        if (connection.session != null) {
            greet(step, connection, null);
            watchToken(step, connection);
        }
    }

    /**
     * Applies a change of the keys to the connections that it affects.
     *
     * <p>A client whose own key is no longer valid would fail with each further attempt, so its connection ends. A
     * client whose token was signed with such a key can get another token. So the hub only disconnects this client,
     * which can resume its connection.
     *
     * @param changed called for each connection whose access has changed
     */
    void keysChanged(StepContext step, KeyChange change, Consumer<Connection> changed) {
        for (Connection connection : List.copyOf(byId.values())) {
            Access former = connection.access;
            Access access = change.applyTo(former).orElse(null);
            String key = "the key " + Quote.of(former.keyName());
            if (access == null && former.isToken()) {
                disconnect(
                        step,
                        connection,
                        ErrorCode.TOKEN_REVOKED.because(
                                key + ", which signed the token, is no longer valid; request another token"));
            } else if (access == null) {
                fail(
                        step,
                        connection,
                        ErrorCode.KEY_REVOKED.because(
                                key + " was removed from the hub, or has another secret now; use a current key"));
            } else if (!access.equals(former)) {
                renew(step, connection, access);
                changed.accept(connection);
            }
        }
        if (moves != null) {
            moves.keysChanged(step, change);
        }
    }

    /** Disconnects the clients whose tokens were revoked. The SDKs of these clients then request new tokens. */
    public void drop(StepContext step, Predicate<Access> revoked) {
        for (Connection connection : List.copyOf(bySession.values())) {
            if (revoked.test(connection.access)) {
                disconnect(step, connection, ErrorCode.TOKEN_REVOKED.because("the token was revoked"));
            }
        }
    }

    /** Sends a frame to every connection that has a socket and matching access. */
    public void broadcast(StepContext step, Predicate<Access> whom, ProtocolMessage message) {
        for (Connection connection : bySession.values()) {
            if (whom.test(connection.access)) {
                step.send(connection, message);
            }
        }
    }

    private void watchToken(StepContext step, Connection connection) {
        tokens.arm(
                step,
                connection,
                later -> disconnect(
                        later,
                        connection,
                        ErrorCode.TOKEN_EXPIRED.because("the token expired; request another token")));
    }

    private void greet(StepContext step, Connection connection, @Nullable ErrorInfo error) {
        var details = new ConnectionDetails(
                connection.clientId,
                connection.newestKey(),
                settings.maxMessageBytes(),
                settings.maxFrameBytes(),
                settings.inboundRatePerSecond(),
                settings.serverId(),
                settings.connectionStateTtl().toMillis(),
                connection.params.idleNanos() / 1_000_000);
        step.send(
                connection,
                ProtocolMessage.builder(Action.CONNECTED)
                        .connectionId(connection.id)
                        .connectionDetails(details)
                        .error(error)
                        .build());
    }

    /**
     * Sets the heartbeat timer. A sent frame only updates {@code lastSentNanos} and does not move the timer. When the
     * timer fires, the hub sets it again from {@code lastSentNanos}.
     */
    private void armHeartbeat(Connection connection) {
        if (connection.params.heartbeats() == ConnectParams.Heartbeats.NONE) {
            return;
        }
        long silenceNanos = connection.params.idleNanos() / 2;
        connection.heartbeat = timers.set(connection.lastSentNanos + silenceNanos, step -> {
            if (step.nanos() - connection.lastSentNanos >= silenceNanos) {
                step.send(connection, ProtocolMessage.of(Action.HEARTBEAT));
            }
            armHeartbeat(connection);
        });
    }

    /**
     * Makes room for a connection, and returns true if there is room. If the hub has the maximum number of connections,
     * the method removes the connection that has had no socket for the longest time. The method does not remove that
     * connection if it has members or waiting claims.
     */
    private boolean makeRoom(StepContext step) {
        if (byId.size() >= settings.maxConnections() && !lost.isEmpty()) {
            Connection longest = lost.iterator().next();
            if (isIdle(longest)) {
                forget(step, longest);
            }
        }
        return byId.size() < settings.maxConnections();
    }

    /**
     * Makes room within the quotas of a client. If a quota is exhausted, the method removes one idle connection without
     * a socket that counts toward that quota.
     */
    private void makeRoomFor(StepContext step, Usage usage) {
        for (Connection connection : lost) {
            if (isIdle(connection) && usage.isExhaustedTogetherWith(connection.usage, Resource.CONNECTIONS)) {
                forget(step, connection);
                return;
            }
        }
    }

    /** Returns true if the connection has neither members nor waiting claims. */
    private static boolean isIdle(Connection connection) {
        return connection.members.isEmpty() && connection.waitingClaims.isEmpty();
    }

    /** Returns the connection that this key resumes, or null if there is none. */
    @Nullable
    public Connection byKey(String key) {
        Connection connection = byId.get(Connection.idIn(key));
        return connection != null && connection.hasKey(key) ? connection : null;
    }

    private String newId(String entropy) {
        String id = Digests.name("connection", entropy);
        while (byId.containsKey(id)) {
            id = Digests.name(id, entropy);
        }
        return id;
    }

    /** Sends a last frame to a socket without a connection, and closes the socket. */
    public static void refuse(StepContext step, SessionId session, Action action, ErrorInfo error) {
        step.send(session, ProtocolMessage.builder(action).error(error).build());
        step.close(session);
    }
}
