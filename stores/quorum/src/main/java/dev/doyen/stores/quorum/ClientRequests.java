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
 * The part of a member that serves its clients. Reads are answered from the member's copy, if it is known to be up to date. Writes
 * are carried out like the member's own.
 *
 * <p>A member that knows no leader for longer than {@link #MAX_AGE} answers nothing any more. Later it ends the connections
 * of its clients, because it cannot send them changes. They go on with other members.
 *
 * <p>Threads: any. Requests of one connection arrive on one thread.
 */
final class ClientRequests {

    /** The most clients of one member. The other connections are for members. */
    static final int MAX_CLIENTS = 800;

    /** For how long a member that serves clients may know no leader. */
    static final Duration MAX_AGE = Duration.ofSeconds(2);

    /** How long a write waits until a leader is known. */
    private static final Duration LEADER_WAIT = Duration.ofSeconds(1);

    /** Longer than a request that arrived in time can wait for a leader. So each has its answer before the end. */
    private static final Duration DROP_AGE = MAX_AGE.plus(LEADER_WAIT).plus(LEADER_WAIT);

    private static final Duration CHECK = Duration.ofSeconds(1);

    private final RaftTime time;
    private final Map<Wire.Peer, ClientConnection> connections = new ConcurrentHashMap<>();
    private final AtomicBoolean isChecking = new AtomicBoolean();

    ClientRequests(RaftTime time) {
        this.time = time;
    }

    /**
     * Serves one request. Throws {@link MalformedBytesException} if it is not what a client sends.
     *
     * @param member null until there is one
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

    /** The connection ended, whether a client's or not. */
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
                // First, so that no change falls between.
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
        try {
            member.checkUpToDate(read.patience());
            List<VersionedLease> leases = read.elections().stream()
                    .map(election -> member.read(election, read.patience()))
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
                        : unavailable("no majority: it knew no leader of the quorum within " + LEADER_WAIT.toMillis()
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
            time.after(CHECK, () -> check(member));
        }
    }

    private void check(QuorumMember member) {
        try {
            member.checkUpToDate(DROP_AGE);
        } catch (StoreUnavailableException e) {
            connections.values().forEach(ClientConnection::drop);
        }
        isChecking.set(false);
        if (!connections.isEmpty()) {
            checkLater(member);
        }
    }

    private static CompletableFuture<Requests.Answered> done(byte[] body) {
        return CompletableFuture.completedFuture(Requests.Answered.done(body));
    }

    private static CompletableFuture<Requests.Answered> unavailable(String why) {
        return CompletableFuture.completedFuture(Requests.Answered.unavailable(why));
    }
}
