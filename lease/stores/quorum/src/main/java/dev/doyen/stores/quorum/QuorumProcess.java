package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import io.microraft.model.message.RaftMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process that is configured as a member of a quorum.
 *
 * <p>If the directory of the process belongs to a quorum, the process takes part in this quorum at once. If the
 * directory is new, {@link QuorumSearch} finds the existing quorum or creates a new one. A process that is not a
 * founder of the quorum becomes a member through {@link Joining}. If such a process has the address of a member that
 * lost its directory, the process replaces that member. In all other cases an operator must add the process.
 *
 * <p>A process with a new directory lacks the earlier votes of the lost member, so it never votes as that member. It
 * also founds no second quorum, because a quorum is founded only if all directories are new.
 *
 * <p>Threads: any may call the methods of {@link Replica}. The thread of {@link RaftTime} makes all decisions.
 */
final class QuorumProcess implements Replica, Wire.Receiver, AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");

    /**
     * The maximum time that {@link #close} waits for the transfer of the leadership. MicroRaft itself stops waiting
     * after 0.5 s.
     */
    private static final Duration HAND_OVER = Duration.ofSeconds(1);

    private final MemberEnvironment environment;
    private final QuorumEndpoint self;
    private final List<String> addresses;
    private final RaftJournal journal;
    private final RaftTime time;
    private final SwitchableWire wire;
    private final Reachability reachability;
    private final Requests requests;
    private final UrgentRequests questions;
    private final MemberChanges changes;
    private final ClientRequests clients;
    private final CompletableFuture<QuorumMember> running = new CompletableFuture<>();
    private volatile @Nullable QuorumMember member;

    /** Null until the process belongs to a quorum. */
    private volatile @Nullable Joining joining;

    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private volatile boolean isClosed;

    /**
     * @param addresses the addresses in the configured list, in the same order in all founders
     */
    QuorumProcess(List<String> addresses, MemberEnvironment given) {
        this.addresses = List.copyOf(addresses);
        this.wire = new SwitchableWire(given.wire());
        this.environment = given.withWire(wire);
        this.self = given.self();
        this.journal = given.journal();
        this.time = given.time();
        this.reachability = new Reachability(time);
        this.requests = new Requests(this.wire);
        this.questions = new UrgentRequests(requests, time);
        this.changes = new MemberChanges(reachability, questions);
        this.clients = new ClientRequests(time);
    }

    void start() {
        wire.start(this);
        time.execute(() -> journal.group().ifPresentOrElse(this::takePart, this::findQuorum));
    }

    /** Returns a future that completes with the member when this process belongs to a quorum. */
    CompletableFuture<QuorumMember> running() {
        return running;
    }

    /** Returns the object that serves the requests of clients. */
    ClientRequests clients() {
        return clients;
    }

    /** Returns a future that completes when this process is a voter. */
    CompletableFuture<Void> joined() {
        return joined;
    }

    /** Returns a future that completes when this process can answer reads. */
    CompletableFuture<Void> complete() {
        return running.thenCompose(QuorumMember::complete);
    }

    @Override
    public VersionedLease read(String election, Duration patience) {
        QuorumMember now = member;
        if (now == null) {
            throw new StoreUnavailableException(waiting());
        }
        return now.read(election, patience);
    }

    @Override
    public CompletableFuture<List<CasOutcome>> write(List<LeaseStore.Write> writes, Duration timeout) {
        return member(timeout).thenCompose(now -> now.write(writes, timeout));
    }

    @Override
    public CompletableFuture<Void> catchUp(Duration timeout) {
        return member(timeout).thenCompose(now -> now.catchUp(timeout));
    }

    @Override
    public LeaseStore.Watch watch(String election, Runnable changed) {
        var watch = new DeferredWatch();
        Futures.ignore(running.thenAccept(now -> watch.begin(now.watch(election, changed))));
        return watch;
    }

    @Override
    public QuorumStatus status(Duration patience) {
        return status();
    }

    QuorumStatus status() {
        QuorumMember now = member;
        Joining join = joining;
        Optional<String> waits = Optional.ofNullable(join).map(Joining::waiting);
        return Optional.ofNullable(now)
                .flatMap(each -> each.status(waits, reachability::isReachable))
                .orElseGet(() -> QuorumStatus.outside(self.address(), waits.orElseGet(this::waiting)));
    }

    @Override
    public void disconnect() {
        wire.switchOff();
    }

    @Override
    public void reconnect() {
        wire.switchOn();
    }

    /**
     * Transfers the leadership of the log to another reachable voter, if this process leads. The returned future
     * completes when the transfer has succeeded or failed. If no other voter can lead, the future completes without a
     * transfer.
     */
    CompletableFuture<Void> handOver() {
        QuorumMember now = member;
        if (now == null || !now.leader().isSelf()) {
            return CompletableFuture.completedFuture(null);
        }
        return now.members()
                .plan(each -> reachability.isReachable(each) && wire.isReachable(each.address()))
                .thenCompose(plan -> plan.flatMap(MemberChangePlan::successor)
                        .<CompletableFuture<?>>map(now.members()::transferTo)
                        .orElseGet(() -> CompletableFuture.completedFuture(null)))
                .handle((done, failure) -> null);
    }

    /**
     * Transfers the leadership before this process closes. So the other members need not wait for the election timeout.
     */
    private void awaitHandOver() {
        try {
            handOver().get(HAND_OVER.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, "no other member took over the log", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the process. The caller must not be the thread of {@link RaftTime}. */
    @Override
    public void close() {
        if (!isClosed) {
            awaitHandOver();
        }
        isClosed = true;
        QuorumMember now = member;
        if (now != null) {
            now.close();
        }
        wire.close();
    }

    @Override
    public void receive(Wire.Peer from, byte[] frame) {
        Frames.read(frame, new Frames.Cases() {
            @Override
            public void raft(String directory, RaftMessage message) {
                QuorumMember now = member;
                if (now != null && directory.equals(self.directory())) {
                    reachability.messageReceived((QuorumEndpoint) message.getSender());
                    now.received(message);
                }
            }

            @Override
            public void request(long number, Frames.Request request, byte[] body) {
                Futures.ignore(serve(from, request, body)
                        .thenAccept(answered -> from.send(Frames.answer(number, answered.answer(), answered.body()))));
            }

            @Override
            public void answer(long number, Frames.Answer answer, byte[] body) {
                requests.answered(number, answer, body);
            }
        });
    }

    @Override
    public void lost(String address) {
        requests.giveUp(address, "the connection to " + address + ", a member of the quorum, broke");
    }

    @Override
    public void ended(Wire.Peer from) {
        clients.ended(from);
    }

    private CompletableFuture<Requests.Answered> serve(Wire.Peer from, Frames.Request request, byte[] body) {
        QuorumMember now = member;
        return switch (request) {
            case INTRODUCE ->
                onThread(() -> journal.failure().isDone()
                        // After a fault of the journal, it is not certain whether the directory belongs to a quorum.
                        ? Requests.Answered.NOT_LEADER
                        : Requests.Answered.done(introduction().bytes()));
            case WRITE -> {
                // Parse the writes first, because malformed bytes must not get into the log.
                LeaseBytes.writes(body);
                yield now == null ? notLeader() : now.log().append(body);
            }
            case JOIN -> now == null ? notLeader() : changes.join(now, body);
            case STATUS -> CompletableFuture.completedFuture(Requests.Answered.done(StatusBytes.of(status())));
            case CHANGE_MEMBERS -> now == null ? notLeader() : changes.command(now, body);
            case CONNECT, READ, WRITE_FOR_CLIENT, WATCH, UNWATCH -> clients.serve(now, from, request, body);
        };
    }

    private <T> CompletableFuture<T> onThread(Supplier<T> action) {
        var done = new CompletableFuture<T>();
        time.execute(() -> done.complete(action.get()));
        return done;
    }

    private Introduction introduction() {
        return new Introduction(self, journal.group().orElse(""), journal.founders(), journal.wasMember(self));
    }

    private void findQuorum() {
        new QuorumSearch(this::introduction, addresses, questions, time, this::belongTo).run(() -> isClosed);
    }

    private void belongTo(String group, List<QuorumEndpoint> founders) {
        try {
            journal.join(group, founders);
            takePart(group);
        } catch (IOException e) {
            // The journal has logged the reason, and this process includes the reason in its answers.
            LOG.log(Level.DEBUG, "this process cannot take part", e);
        }
    }

    /** Starts the {@link QuorumMember} after the directory has been assigned to a quorum. */
    private void takePart(String group) {
        var made = new QuorumMember(group, journal.founders(), environment, requests);
        var join = new Joining(environment, addresses, made, changes, questions);
        Futures.ignore(join.joined().thenAccept(joined::complete));
        joining = join;
        member = made;
        Futures.ignore(made.start().thenAccept(started -> running.complete(made)));
        join.start();
        probeSilentMembers(made);
    }

    /** Repeatedly sends requests to silent members, until this member stops. */
    private void probeSilentMembers(QuorumMember now) {
        if (isClosed || now.stopped().isDone()) {
            return;
        }
        try {
            sendProbes(now);
        } finally {
            time.after(Reachability.PROBE_INTERVAL, () -> probeSilentMembers(now));
        }
    }

    /** Sends requests to members that send no Raft messages. The answers show which of these members are reachable. */
    private void sendProbes(QuorumMember now) {
        for (QuorumEndpoint each : reachability.silent(now.members().others())) {
            Futures.ignore(questions
                    .send(each.address(), Frames.Request.INTRODUCE, new byte[0])
                    .thenAccept(answered -> {
                        if (answered.answer() == Frames.Answer.DONE) {
                            reachability.messageReceived(
                                    Introduction.read(answered.body()).self());
                        }
                    }));
        }
    }

    private static CompletableFuture<Requests.Answered> notLeader() {
        return CompletableFuture.completedFuture(Requests.Answered.NOT_LEADER);
    }

    private CompletableFuture<QuorumMember> member(Duration timeout) {
        var found = new CompletableFuture<QuorumMember>();
        Futures.ignore(running.thenAccept(found::complete));
        time.unlessDone(found, timeout, () -> found.completeExceptionally(new StoreUnavailableException(waiting())));
        return found;
    }

    /** Returns why this process does not take part in a quorum yet. */
    private String waiting() {
        return journal.failure().getNow(QuorumSearch.waiting(self.address(), addresses));
    }
}
