package dev.doyen.hub.connection;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Digests;
import dev.doyen.hub.channel.ConnectParams;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Log;
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
import dev.doyen.hub.wire.Refusal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Opens, resumes and ends connections.
 *
 * <p>A connection has a socket or waits for a new one. While it waits, its members stay for a grace period and its
 * state for {@code connectionStateTtl}. The hub sends the reason in a frame before it closes a socket, because some
 * SDKs do not see the close itself.
 */
public final class Connections {

    public static final ErrorInfo ANOTHERS = ErrorCode.INCOMPATIBLE_RESUME.because(
            "the connection to resume is another client's; this is a new connection");
    public static final ErrorInfo UNKNOWN = ErrorCode.BAD_CONNECTION_KEY.because(
            "the connection to resume is not known, or no longer; this is a new connection");

    private final HubSettings settings;
    private final CredentialCheck credentials;
    private final Timers timers;
    private final Departures departures;
    private final TokenTimers tokens;
    /** Null on a single hub. */
    private @Nullable ConnectionMoves moves;

    private boolean outOfTouch;
    private final Map<String, Connection> byId = new LinkedHashMap<>();
    private final Map<SessionId, Connection> bySession = new LinkedHashMap<>();
    /** Connections without a socket, in the order in which they lost it. */
    private final Set<Connection> lost = new LinkedHashSet<>();

    public Connections(HubSettings settings, CredentialCheck credentials, Timers timers, Departures departures) {
        this.settings = settings;
        this.credentials = credentials;
        this.timers = timers;
        this.departures = departures;
        this.tokens = new TokenTimers(timers);
    }

    public Optional<Connection> of(SessionId session) {
        return Optional.ofNullable(bySession.get(session));
    }

    /** Number of connections, with and without a socket. */
    public int count() {
        return byId.size();
    }

    @Nullable
    public Connection find(String id) {
        return byId.get(id);
    }

    public void open(StepContext step, SessionId session, ConnectRequest request, String entropy) {
        Access access;
        ConnectParams params;
        try {
            access = credentials.ofQuery(request.params(), request.address(), step.wallMillis(), step.nanos());
            params = ConnectParams.read(request.params(), access, settings);
        } catch (Refusal refusal) {
            // A rate-limited client must retry. SDKs do so only after DISCONNECTED.
            boolean later = refusal.error().code() == ErrorCode.RATE_LIMITED.code();
            refuse(step, session, later ? Action.DISCONNECTED : Action.ERROR, refusal.error());
            return;
        }
        if (outOfTouch) {
            refuse(step, session, Action.DISCONNECTED, Log.OUT_OF_TOUCH);
            return;
        }
        var arrival = new ConnectAttempt(session, params, access, entropy);
        String key = params.resumeKey().orElse(null);
        Connection former = key == null ? null : byKey(key);
        if (former != null && Objects.equals(former.clientId, params.clientId())) {
            resume(step, session, former, params, access, entropy);
        } else if (former == null && key != null && moves != null) {
            moves.ask(step, arrival, key);
        } else {
            begin(step, arrival, former != null ? ANOTHERS : key != null ? UNKNOWN : null);
        }
    }

    /**
     * Creates a connection for a socket.
     *
     * @param error why it does not resume an earlier one; null if none was requested
     */
    public void begin(StepContext step, ConnectAttempt arrival, @Nullable ErrorInfo error) {
        if (!makeRoom(step)) {
            // Send DISCONNECTED, because an SDK retries after it and gives up after ERROR.
            String sentence = "the hub has " + byId.size() + " connections, its limit; try again later";
            refuse(step, arrival.session(), Action.DISCONNECTED, ErrorCode.UNAVAILABLE.because(sentence));
            return;
        }
        var connection =
                new Connection(newId(arrival.entropy()), arrival.params(), arrival.access(), settings, step.nanos());
        byId.put(connection.id, connection);
        connected(step, arrival.session(), connection, arrival.entropy(), error);
    }

    /** Adds a connection that has moved here from another node. The socket may be lost by now. */
    public void arrive(StepContext step, ConnectAttempt arrival, Connection connection) {
        byId.put(connection.id, connection);
        if (arrival.session().equals(SessionId.NONE)) {
            await(step, connection);
        } else {
            connected(step, arrival.session(), connection, arrival.entropy(), null);
        }
    }

    /** Removes a connection that continues at another node. Its members move with it, and its claims end. */
    public void goElsewhere(StepContext step, Connection connection, ErrorInfo why) {
        closeSocket(step, connection, why);
        detachSocket(step, connection);
        stopWaiting(connection);
        byId.remove(connection.id);
        departures.goElsewhere(step, connection);
    }

    /** Sends all clients to other nodes after this node has lost touch with them. Their claims here end. */
    public void abandon(StepContext step, String why) {
        outOfTouch = true;
        ErrorInfo error = ErrorCode.UNAVAILABLE.because(why);
        List.copyOf(byId.values()).forEach(connection -> goElsewhere(step, connection, error));
    }

    /** Marks this node as not yet in touch with the others. */
    public void awaitCompany() {
        outOfTouch = true;
    }

    /** Marks this node as in touch with the others. */
    public void welcome(ConnectionMoves withOthers) {
        moves = withOthers;
        outOfTouch = false;
    }

    /** Handles a lost socket. The connection waits for a new one. */
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
        // A holder may rely on its promise until the end (rule C6). A shorter grace must not cut it short.
        long graceNanos =
                Math.max(connection.params.remainPresentNanos(), connection.promisedUntilNanos() - step.nanos());
        connection.grace = timers.set(step.nanos() + graceNanos, later -> {
            connection.grace = null;
            departures.leaveAll(later, connection, "its connection was lost");
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

    /** Sends DISCONNECTED and closes the socket, if there is one. */
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

    /** Ends the connection with an error that the client has caused. */
    public void fail(StepContext step, Connection connection, ErrorInfo error) {
        end(step, connection, ProtocolMessage.builder(Action.ERROR).error(error).build());
    }

    /** Ends the connection after the client's CLOSE. */
    void close(StepContext step, Connection connection) {
        end(step, connection, ProtocolMessage.of(Action.CLOSED));
    }

    private void end(StepContext step, Connection connection, ProtocolMessage last) {
        SessionId session = connection.session;
        if (session != null) {
            step.send(connection, last);
            step.close(session);
        }
        forget(step, connection);
    }

    private void forget(StepContext step, Connection connection) {
        if (connection.session != null) {
            bySession.remove(connection.session);
        }
        detachSocket(step, connection);
        stopWaiting(connection);
        byId.remove(connection.id);
        departures.leaveAll(step, connection, "its connection ended");
        if (moves != null) {
            step.discharge(connection.id);
        }
    }

    /** Ends what lives only as long as a socket: heartbeats, the token timer and attachments. */
    private void detachSocket(StepContext step, Connection connection) {
        connection.session = null;
        if (connection.heartbeat != null) {
            timers.cancel(connection.heartbeat);
            connection.heartbeat = null;
        }
        tokens.cancel(connection);
        departures.detachAll(step, connection);
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

    private void resume(
            StepContext step,
            SessionId session,
            Connection connection,
            ConnectParams params,
            Access access,
            String entropy) {
        if (connection.session != null) {
            closeSocket(step, connection, ErrorCode.SOCKET_GIVEN_UP.because("another socket resumed this connection"));
            detachSocket(step, connection);
        }
        stopWaiting(connection);
        connection.params = params;
        connection.access = access;
        connected(step, session, connection, entropy, null);
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

    /** Applies the access of a new token. */
    void renew(StepContext step, Connection connection, Access access) {
        connection.access = access;
        greet(step, connection, null);
        watchToken(step, connection);
    }

    /** Disconnects clients whose tokens were revoked. Their SDKs request new ones. */
    public void drop(StepContext step, Predicate<Access> revoked) {
        for (Connection connection : List.copyOf(bySession.values())) {
            if (revoked.test(connection.access)) {
                disconnect(step, connection, ErrorCode.TOKEN_REVOKED.because("the token was revoked"));
            }
        }
    }

    /** Sends a frame to all connections with such access and a socket. */
    public void tell(StepContext step, Predicate<Access> whom, ProtocolMessage message) {
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
                        later, connection, ErrorCode.TOKEN_EXPIRED.because("the token expired; ask for another")));
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

    /** When due the timer is set again. Sent frames only update {@code lastSentNanos}. */
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

    /** Removes the connection that lost its socket first if the limit is reached and its members have left. */
    private boolean makeRoom(StepContext step) {
        if (byId.size() >= settings.maxConnections() && !lost.isEmpty()) {
            Connection longest = lost.iterator().next();
            if (longest.members.isEmpty() && longest.waitingClaims.isEmpty()) {
                forget(step, longest);
            }
        }
        return byId.size() < settings.maxConnections();
    }

    /** Returns the connection that this key resumes; null if none. */
    @Nullable
    public Connection byKey(String key) {
        int mark = key.indexOf('!');
        Connection connection = mark < 0 ? null : byId.get(key.substring(0, mark));
        return connection != null && connection.hasKey(key) ? connection : null;
    }

    private String newId(String entropy) {
        String id = Digests.name("connection", entropy);
        while (byId.containsKey(id)) {
            id = Digests.name(id, entropy);
        }
        return id;
    }

    public static void refuse(StepContext step, SessionId session, Action action, ErrorInfo error) {
        step.send(session, ProtocolMessage.builder(action).error(error).build());
        step.close(session);
    }
}
