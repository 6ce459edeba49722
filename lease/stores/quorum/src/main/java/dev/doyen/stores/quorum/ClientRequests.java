package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Serves the clients of a member.
 *
 * <p>The member answers reads from its own copy of the records. The member processes the writes of a client in the same
 * way as its own writes.
 *
 * <p>A member that has had no known leader for longer than {@link #MAX_AGE} rejects new clients, reads, watches and
 * writes. A read or a watch can set a shorter limit. If the member still has no leader two seconds after
 * {@link #MAX_AGE} has passed, the member ends the connections of its clients, because it receives no changes for their
 * watches. The clients then connect to other members.
 *
 * <p>Threads: any. Requests of one connection arrive on one thread.
 */
final class ClientRequests {

    /** The maximum number of clients that one member serves. The remaining connections are reserved for members. */
    static final int MAX_CLIENTS = 800;

    /** The maximum time without a known leader during which a member still serves clients. */
    static final Duration MAX_AGE = Duration.ofSeconds(2);

    /** The maximum time that a write waits for a known leader. */
    private static final Duration LEADER_WAIT = Duration.ofSeconds(1);

    /**
     * The time without a leader after which the member ends the connections of its clients. A write that arrives before
     * {@link #MAX_AGE} has passed waits at most {@link #LEADER_WAIT} for a leader. If the member finds no leader, it
     * rejects the write before it ends the connection.
     */
    private static final Duration DROP_AGE = MAX_AGE.plus(LEADER_WAIT).plus(LEADER_WAIT);

    private static final Duration CHECK = Duration.ofSeconds(1);

    private final RaftTime time;
    private final Map<Wire.Peer, ClientConnection> connections = new ConcurrentHashMap<>();
    private final AtomicBoolean isChecking = new AtomicBoolean();

    ClientRequests(RaftTime time) {
        this.time = time;
    }

    /**
     * Serves one request.
     *
     * @param member the member; null if this process does not belong to a quorum yet
     * @throws MalformedBytesException if a client may not send this request, or the body is malformed
     */
    CompletableFuture<Requests.Answered> serve(
            @Nullable QuorumMember member, Wire.Peer from, Frames.Request request, byte[] body) {
        ClientConnection client = connections.get(from);
        if (request == Frames.Request.CONNECT) {
            Duration patience = ClientBytes.wait(body);
            if (member == null) {
                return unavailable("it does not belong to a quorum yet");
            }
            if (client == null && connections.size() >= MAX_CLIENTS) {
                return unavailable("it serves " + MAX_CLIENTS + " clients already");
            }
            client = connections.computeIfAbsent(from, ClientConnection::new);
            checkLater(member);
            return counted(client, connect(member, patience));
        }
        if (client == null || member == null) {
            throw new MalformedBytesException("a client's first request is " + request);
        }
        return counted(client, serve(member, client, request, body));
    }

    /**
     * Removes the state of a connection that has ended. The method does nothing if the connection was not a client's.
     */
    void ended(Wire.Peer from) {
        ClientConnection client = connections.remove(from);
        if (client != null) {
            client.ended();
        }
    }

    int clientCount() {
        return connections.size();
    }

    int watchCount() {
        return connections.values().stream()
                .mapToInt(ClientConnection::watchCount)
                .sum();
    }

    private static CompletableFuture<Requests.Answered> counted(
            ClientConnection client, CompletableFuture<Requests.Answered> answer) {
        client.requestArrived();
        return answer.whenComplete((answered, failure) -> client.requestAnswered());
    }

    private CompletableFuture<Requests.Answered> serve(
            QuorumMember member, ClientConnection client, Frames.Request request, byte[] body) {
        return switch (request) {
            case READ -> {
                var read = ClientBytes.Read.read(body);
                yield read(member, read);
            }
            case WRITE_FOR_CLIENT -> write(member, ClientBytes.Write.read(body));
            case WATCH -> {
                var read = ClientBytes.Read.read(body);
                // Begin the watch before the read, so that no change between them is missed.
                client.watch(read.elections(), election -> watch(member, client, election));
                yield read(member, read);
            }
            case UNWATCH -> {
                client.unwatch(ClientBytes.elections(body));
                yield done(new byte[0]);
            }
            default -> throw new MalformedBytesException(request + " is not a request of clients");
        };
    }

    private static CompletableFuture<Requests.Answered> connect(QuorumMember member, Duration patience) {
        return member.catchUp(patience).handle((caughtUp, failure) -> {
            if (failure != null) {
                return Requests.Answered.unavailable(Requests.reason(failure));
            }
            try {
                member.checkUpToDate(MAX_AGE);
                return Requests.Answered.done(new byte[0]);
            } catch (StoreUnavailableException e) {
                return Requests.Answered.unavailable(Requests.reason(e));
            }
        });
    }

    private static CompletableFuture<Requests.Answered> read(QuorumMember member, ClientBytes.Read read) {
        Duration patience = read.patience().compareTo(MAX_AGE) < 0 ? read.patience() : MAX_AGE;
        try {
            member.checkUpToDate(patience);
            List<VersionedLease> leases = read.elections().stream()
                    .map(election -> member.read(election, patience))
                    .toList();
            return done(ClientBytes.ofLeases(leases));
        } catch (StoreUnavailableException e) {
            return unavailable(String.valueOf(e.getMessage()));
        }
    }

    private static CompletableFuture<Requests.Answered> write(QuorumMember member, ClientBytes.Write write) {
        try {
            member.checkUpToDate(MAX_AGE);
        } catch (StoreUnavailableException e) {
            return unavailable(String.valueOf(e.getMessage()));
        }
        return member.leader()
                .awaitKnown(LEADER_WAIT)
                .thenCompose(isKnown -> isKnown
                        ? member.write(write.writes(), write.timeout()).handle(ClientRequests::written)
                        // Nothing was sent, so the client can ask another member.
                        : unavailable("no majority: it found no leader of the quorum within " + LEADER_WAIT.toMillis()
                                + " ms"));
    }

    private static Requests.Answered written(@Nullable List<CasOutcome> outcomes, @Nullable Throwable failure) {
        if (outcomes == null) {
            return Requests.Answered.unknown(failure == null ? "the quorum failed" : Requests.reason(failure));
        }
        byte[] body = ClientBytes.ofOutcomes(outcomes);
        return body.length <= Wire.MAX_FRAME / 2
                ? Requests.Answered.done(body)
                : Requests.Answered.unknown(
                        "the records that differ have " + body.length + " bytes together; write fewer of them at once");
    }

    private LeaseStore.Watch watch(QuorumMember member, ClientConnection client, String election) {
        return member.watch(election, () -> {
            try {
                client.send(Frames.changed(member.read(election, MAX_AGE)));
            } catch (StoreUnavailableException e) {
                client.drop();
            }
        });
    }

    private void checkLater(QuorumMember member) {
        if (isChecking.compareAndSet(false, true)) {
            try {
                time.after(CHECK, () -> check(member));
            } catch (RuntimeException | Error e) {
                // The next client tries again.
                isChecking.set(false);
                throw e;
            }
        }
    }

    private void check(QuorumMember member) {
        try {
            member.checkUpToDate(DROP_AGE);
        } catch (StoreUnavailableException e) {
            connections.values().forEach(ClientConnection::drop);
        } finally {
            isChecking.set(false);
            if (!connections.isEmpty()) {
                checkLater(member);
            }
        }
    }

    private static CompletableFuture<Requests.Answered> done(byte[] body) {
        return CompletableFuture.completedFuture(Requests.Answered.done(body));
    }

    private static CompletableFuture<Requests.Answered> unavailable(String why) {
        return CompletableFuture.completedFuture(Requests.Answered.unavailable(why));
    }
}
