package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseWrite;
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
 * A process that is configured as a member of a quorum, from its start to its end.
 *
 * <p>With a directory that belongs to a quorum it takes part at once. With a new directory {@link QuorumSearch} finds or founds
 * a quorum. A process that did not found it becomes a member through {@link Joining}: its directory was lost or replaced and
 * it takes the place of the member that had its address, or somebody adds it.
 *
 * <p>So a member that lost its directory never votes with what it forgot, and a second quorum is never founded beside the
 * first one.
 *
 * <p>Threads: any may call the methods of {@link Replica}. Decisions are made on the thread of {@link RaftTime}.
 */
final class QuorumProcess implements Replica, Wire.Receiver, AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");

    /** How long {@link #close} waits until another member leads. MicroRaft gives up after 0.5 s. */
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

    /** Until the process belongs to a quorum, null. */
    private volatile @Nullable Joining joining;

    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private volatile boolean isClosed;

    /** @param addresses of all members, this one included; in the same order in all processes */
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

    /** The member, as soon as there is one. */
    CompletableFuture<QuorumMember> running() {
        return running;
    }

    /** The part of this process that serves clients. */
    ClientRequests clients() {
        return clients;
    }

    /** Completes when this process is one of the members that vote. */
    CompletableFuture<Void> joined() {
        return joined;
    }

    /** Completes when this process can answer reads. */
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
    public CompletableFuture<List<CasOutcome>> write(List<LeaseWrite> writes, Duration timeout) {
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
        Joining asking = joining;
        Optional<String> waits = Optional.ofNullable(asking).map(Joining::waiting);
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
     * Lets another member lead the log, if this one leads it and another one is there. Completes when this member does not
     * lead any more, or cannot be replaced.
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

    /** Hands the log over first, so that the others need not find out that this member is gone. */
    private void awaitHandOver() {
        try {
            handOver().get(HAND_OVER.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, "no other member took over the log", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Not on the thread of {@link RaftTime}. */
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
                        // Whether its directory belongs to a quorum is not certain.
                        ? Requests.Answered.NOT_LEADER
                        : Requests.Answered.done(introduction().bytes()));
            case WRITE -> {
                // Bytes that cannot be read must not get into the log.
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
            // The journal has logged the reason, and this process answers with it.
            LOG.log(Level.DEBUG, "this process cannot take part", e);
        }
    }

    /** The directory belongs to a quorum. */
    private void takePart(String group) {
        var made = new QuorumMember(group, journal.founders(), environment, requests);
        var asking = new Joining(environment, addresses, made, changes, questions);
        Futures.ignore(asking.joined().thenAccept(joined::complete));
        joining = asking;
        member = made;
        Futures.ignore(made.start().thenAccept(started -> running.complete(made)));
        asking.start();
        askTheSilent(made);
    }

    /** Asks the members from which Raft brings no messages, so that this process knows which ones are reachable. */
    private void askTheSilent(QuorumMember now) {
        if (isClosed || now.stopped().isDone()) {
            return;
        }
        for (QuorumEndpoint each : reachability.silent(now.members().others())) {
            Futures.ignore(questions
                    .ask(each.address(), Frames.Request.INTRODUCE, new byte[0])
                    .thenAccept(answered -> {
                        if (answered.answer() == Frames.Answer.DONE) {
                            reachability.messageReceived(
                                    Introduction.read(answered.body()).self());
                        }
                    }));
        }
        time.after(Reachability.ASK, () -> askTheSilent(now));
    }

    private static CompletableFuture<Requests.Answered> notLeader() {
        return CompletableFuture.completedFuture(Requests.Answered.NOT_LEADER);
    }

    private CompletableFuture<QuorumMember> member(Duration timeout) {
        var found = new CompletableFuture<QuorumMember>();
        Futures.ignore(running.thenAccept(found::complete));
        time.after(timeout, () -> found.completeExceptionally(new StoreUnavailableException(waiting())));
        return found;
    }

    /** Why this process does not take part yet. */
    private String waiting() {
        return journal.failure().getNow(QuorumSearch.waiting(self.address(), addresses));
    }
}
