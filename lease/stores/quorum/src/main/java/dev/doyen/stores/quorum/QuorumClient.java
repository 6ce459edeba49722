package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.text.ElectionNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A client of a quorum, which sends its requests to one member at a time. The client listens on no port.
 *
 * <p>After a watched record has changed, the member sends the record to the client. So the client reads these records
 * from its own copy. The client reads other records by requests to the member. If the member is unreachable, silent or
 * not up to date, the client sends a read to the next member. The client sends a write to another member only if the
 * first member certainly did not execute the write. If the first member has possibly executed the write but reports no
 * outcome, the outcome of the write is unknown.
 *
 * <p>Threads: any. The thread of {@link RaftTime} makes all decisions.
 */
final class QuorumClient implements Replica, Wire.Receiver, AutoCloseable {

    /** The maximum number of reads and writes that wait for answers at once. */
    static final int MAX_CALLS = 1_000;

    private static final Duration MIN_PATIENCE = Duration.ofMillis(50);

    /**
     * A read or a write that waits for its answer. Only the client's thread uses this object, except for
     * {@code result}.
     */
    private static final class Call {
        private final Frames.Request request;
        private final byte[] body;
        private final boolean isRepeatable;
        private final CompletableFuture<byte[]> result = new CompletableFuture<>();
        private boolean isSent;
        private long connection;

        Call(Frames.Request request, byte[] body, boolean isRepeatable) {
            this.request = request;
            this.body = body;
            this.isRepeatable = isRepeatable;
        }

        /** Returns true if a member can answer the call without the other members. */
        boolean isAtHand() {
            return request == Frames.Request.READ || request == Frames.Request.STATUS;
        }
    }

    private final List<String> addresses;
    private final Duration patience;
    private final RaftTime time;
    private final SwitchableWire wire;
    private final Requests requests;
    private final MemberLink link;
    private final WatchedLeases watched = new WatchedLeases();
    private final LeaseWatches watches;
    private final Set<Call> calls = new LinkedHashSet<>();
    private boolean isClosed;

    /**
     * Creates a client. {@link #start} starts the client.
     *
     * @param addresses the addresses of members; a name may have several addresses
     * @param timeout the usual timeout of a call
     * @param announcer the executor that calls the watchers and runs only one task at a time
     */
    QuorumClient(
            List<String> addresses, Duration timeout, RaftTime time, Wire wire, Executor announcer, Random random) {
        this.addresses = List.copyOf(addresses);
        this.time = time;
        this.wire = new SwitchableWire(wire);
        this.requests = new Requests(this.wire);
        this.watches = new LeaseWatches(announcer);
        this.patience = patience(timeout);
        this.link = new MemberLink(addresses, patience, time, this.wire, requests, random, new MemberLink.User() {
            @Override
            public boolean needsMember() {
                return !isClosed && (!calls.isEmpty() || !watched.elections().isEmpty());
            }

            @Override
            public void connected() {
                List<String> elections = watched.elections();
                for (int i = 0; i < elections.size(); i += ClientBytes.MAX_ELECTIONS) {
                    subscribe(elections.subList(i, Math.min(i + ClientBytes.MAX_ELECTIONS, elections.size())));
                }
                List.copyOf(calls).forEach(QuorumClient.this::send);
            }

            @Override
            public void disconnected() {
                watched.forgetCopies();
            }
        });
    }

    void start() {
        wire.start(this);
    }

    /**
     * Returns half of the time that the client waits for the immediate answer of one member. If the timeout is more
     * than twice {@link #MIN_PATIENCE}, the client can also ask another member within the timeout.
     */
    private static Duration patience(Duration timeout) {
        Duration part = timeout.dividedBy(8);
        return part.compareTo(MIN_PATIENCE) < 0 ? MIN_PATIENCE : part;
    }

    @Override
    public VersionedLease read(String election, Duration patience) {
        return readAll(List.of(election), patience).values().iterator().next();
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections, Duration patience) {
        return await(fetch(elections, patience), patience);
    }

    @Override
    public QuorumStatus status(Duration patience) {
        var request = new Call(Frames.Request.STATUS, new byte[0], true);
        return await(call(request, patience).thenApply(StatusBytes::read), patience);
    }

    @Override
    public void disconnect() {
        wire.switchOff();
    }

    @Override
    public void reconnect() {
        wire.switchOn();
    }

    private static <T> T await(CompletableFuture<T> answer, Duration patience) {
        try {
            // Normally the call itself fails earlier. This limit is necessary only if the client's thread hangs.
            return answer.get(2 * patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while waiting for a member of the quorum", e);
        } catch (TimeoutException e) {
            throw new StoreUnavailableException("the thread of this process's quorum store does not respond", e);
        } catch (ExecutionException e) {
            throw new StoreUnavailableException(Requests.reason(e), e);
        }
    }

    /** Returns true if this client has a copy of the record for reads. */
    boolean isCopied(String election) {
        return watched.copy(election).isPresent();
    }

    /** Reads records like {@link #readAll}, without blocking. */
    CompletableFuture<Map<String, VersionedLease>> fetch(Collection<String> elections, Duration patience) {
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        List<String> missing = new ArrayList<>();
        for (String election : elections) {
            ElectionNames.check("an election's name", election);
            watched.copy(election).ifPresentOrElse(copy -> found.put(election, copy), () -> missing.add(election));
        }
        long deadline = time.nanos() + patience.toNanos();
        return fetch(missing, found, deadline, patience)
                .exceptionallyCompose(failure -> found.isEmpty() || time.nanos() - deadline < 0
                        ? CompletableFuture.failedFuture(failure)
                        : CompletableFuture.completedFuture(found));
    }

    private CompletableFuture<Map<String, VersionedLease>> fetch(
            List<String> missing, Map<String, VersionedLease> found, long deadline, Duration patience) {
        if (missing.isEmpty()) {
            return CompletableFuture.completedFuture(found);
        }
        List<String> next = missing.subList(0, Math.min(missing.size(), ClientBytes.MAX_ELECTIONS));
        byte[] body = new ClientBytes.Read(patience, next).bytes();
        Duration left = Duration.ofNanos(Math.max(0, deadline - time.nanos()));
        return call(new Call(Frames.Request.READ, body, true), left).thenCompose(answer -> {
            List<VersionedLease> leases = ClientBytes.leases(answer, next.size());
            for (int i = 0; i < leases.size(); i++) {
                found.put(next.get(i), leases.get(i));
            }
            return fetch(missing.subList(leases.size(), missing.size()), found, deadline, patience);
        });
    }

    @Override
    public CompletableFuture<List<CasOutcome>> write(List<LeaseStore.Write> writes, Duration timeout) {
        // The member gets a shorter timeout, so that its answer with the reason arrives before this client's timeout.
        byte[] body = new ClientBytes.Write(timeout.dividedBy(4).multipliedBy(3), writes).bytes();
        return call(new Call(Frames.Request.WRITE_FOR_CLIENT, body, false), timeout)
                .thenApply(answer -> {
                    List<CasOutcome> outcomes = ClientBytes.outcomes(answer, writes.size());
                    for (int i = 0; i < outcomes.size(); i++) {
                        if (watched.learn(writes.get(i), outcomes.get(i))) {
                            watches.changed(writes.get(i).next().election());
                        }
                    }
                    return outcomes;
                });
    }

    @Override
    public CompletableFuture<Void> catchUp(Duration timeout) {
        return call(new Call(Frames.Request.CONNECT, ClientBytes.ofWait(timeout.dividedBy(2)), true), timeout)
                .thenAccept(answer -> {});
    }

    @Override
    public LeaseStore.Watch watch(String election, Runnable changed) {
        ElectionNames.check("an election's name", election);
        boolean isFirst = watched.add(election);
        LeaseStore.Watch watch = watches.watch(election, changed);
        if (isFirst) {
            time.execute(() -> subscribe(List.of(election)));
        }
        var isEnded = new AtomicBoolean();
        return () -> {
            if (isEnded.compareAndSet(false, true)) {
                watch.close();
                if (watched.remove(election)) {
                    time.execute(() -> unsubscribe(election));
                }
            }
        };
    }

    @Override
    public void receive(Wire.Peer from, byte[] frame) {
        Frames.read(frame, new ClientFrames(requests) {
            @Override
            public void changed(VersionedLease lease) {
                String election = lease.record().orElseThrow().election();
                if (watched.change(election, lease)) {
                    watches.changed(election);
                }
            }
        });
    }

    @Override
    public void lost(String address) {
        time.execute(() -> link.lost(address));
    }

    @Override
    public void close() {
        time.execute(() -> {
            isClosed = true;
            List.copyOf(calls)
                    .forEach(call -> fail(call, new StoreUnavailableException("this client of the quorum was closed")));
        });
        wire.close();
    }

    /** Sends a call as soon as a member is connected. */
    private CompletableFuture<byte[]> call(Call call, Duration timeout) {
        time.execute(() -> begin(call));
        time.unlessDone(call.result, timeout, () -> expire(call, timeout));
        return call.result;
    }

    private void begin(Call call) {
        if (isClosed) {
            fail(call, new StoreUnavailableException("this client of the quorum was closed"));
        } else if (calls.size() >= MAX_CALLS) {
            fail(
                    call,
                    new StoreUnavailableException(MAX_CALLS + " calls of this process already wait for a member of the"
                            + " quorum; more are not made"));
        } else {
            calls.add(call);
            link.connect();
            send(call);
        }
    }

    private void send(Call call) {
        if (call.isSent || !link.isConnected()) {
            return;
        }
        call.isSent = true;
        call.connection = link.connection();
        Futures.ignore(link.send(call.request, call.body, call.isAtHand())
                .whenComplete((answer, failure) -> time.execute(() -> answered(call, answer, failure))));
    }

    private void answered(Call call, Requests.@Nullable Answered answer, @Nullable Throwable failure) {
        if (call.result.isDone()) {
            return;
        }
        if (answer != null && answer.answer() == Frames.Answer.DONE) {
            calls.remove(call);
            call.result.complete(answer.body());
            return;
        }
        String why = answer != null ? answer.reason() : failure == null ? "no answer" : Requests.reason(failure);
        if (call.isRepeatable || (answer != null && answer.answer() == Frames.Answer.UNAVAILABLE)) {
            call.isSent = false;
            link.leave(call.connection, why);
            // Send the call now, because the link is possibly connected to another member already.
            send(call);
        } else {
            fail(call, new StoreUnavailableException(why));
            if (answer == null) {
                link.leave(call.connection, why);
            }
        }
    }

    private void expire(Call call, Duration timeout) {
        if (call.result.isDone()) {
            return;
        }
        String time = " within " + timeout.plusNanos(999_999).toMillis() + " ms";
        if (call.isSent) {
            fail(call, new StoreUnavailableException("a member of the quorum did not answer" + time));
            link.leave(call.connection, "it does not answer");
        } else {
            fail(
                    call,
                    new StoreUnavailableException("no member of the quorum answered" + time + " at "
                            + String.join(", ", addresses) + "; the last problem was " + link.problem()));
        }
    }

    private void fail(Call call, StoreUnavailableException why) {
        calls.remove(call);
        call.result.completeExceptionally(why);
    }

    private void subscribe(List<String> elections) {
        List<String> present = elections.stream().filter(watched::isWatched).toList();
        if (present.isEmpty()) {
            return;
        }
        if (!link.isConnected()) {
            link.connect();
            return;
        }
        link.request(Frames.Request.WATCH, new ClientBytes.Read(ClientRequests.MAX_AGE, present).bytes(), body -> {
            List<VersionedLease> leases = ClientBytes.leases(body, present.size());
            for (int i = 0; i < leases.size(); i++) {
                watched.begin(present.get(i), leases.get(i));
                // Announce a change, because the record has possibly changed while no member sent changes to this
                // client.
                watches.changed(present.get(i));
            }
            subscribe(present.subList(leases.size(), present.size()));
        });
    }

    private void unsubscribe(String election) {
        if (link.isConnected() && !watched.isWatched(election)) {
            link.request(Frames.Request.UNWATCH, ClientBytes.ofElections(List.of(election)), done -> {});
        }
    }
}
