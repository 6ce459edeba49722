package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import io.microraft.MembershipChangeMode;
import io.microraft.RaftEndpoint;
import io.microraft.model.message.RaftMessage;
import io.microraft.report.RaftGroupMembers;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process that is configured as a member of a quorum, from its start to its end.
 *
 * <p>With a directory that belongs to a quorum it takes part at once. With a new directory it asks the other processes of
 * its list:
 *
 * <ul>
 *   <li>One of them belongs to a quorum. If this process is one of the founders, it takes part. If not, its directory was
 *       lost or replaced: it asks the leader to take the place of the member that had its address.
 *   <li>All of them answer, and all directories are new. Then the first process of the list founds the quorum.
 * </ul>
 *
 * So a member that lost its directory never votes with what it forgot, and a second quorum is never founded beside the
 * first one.
 *
 * <p>Threads: any may call the methods of {@link Replica}. Decisions are made on the thread of {@link RaftTime}.
 */
final class QuorumProcess implements Replica, Wire.Receiver, AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");
    private static final Duration ASK_AGAIN = Duration.ofMillis(200);
    private static final Duration ANSWER = Duration.ofSeconds(1);

    private final QuorumEndpoint self;
    private final List<String> addresses;
    private final RaftJournal journal;
    private final RaftTime time;
    private final Wire wire;
    private final Requests requests;
    private final Executor announcer;
    private final Random random;
    private final int commitsPerSnapshot;
    private final ClientRequests clients;
    private final Map<String, Introduction> introductions = new HashMap<>();
    private final CompletableFuture<QuorumMember> running = new CompletableFuture<>();
    private volatile @Nullable QuorumMember member;

    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private volatile boolean isClosed;

    /**
     * @param addresses of all members, this one included; in the same order in all processes
     * @param announcer runs one task after the other; watchers are called on it
     */
    QuorumProcess(
            QuorumEndpoint self,
            List<String> addresses,
            RaftJournal journal,
            RaftTime time,
            Wire wire,
            Executor announcer,
            Random random,
            int commitsPerSnapshot) {
        this.self = self;
        this.addresses = List.copyOf(addresses);
        this.journal = journal;
        this.time = time;
        this.wire = wire;
        this.requests = new Requests(wire);
        this.clients = new ClientRequests(time);
        this.announcer = announcer;
        this.random = random;
        this.commitsPerSnapshot = commitsPerSnapshot;
    }

    void start() {
        wire.start(this);
        time.execute(() -> journal.group().ifPresentOrElse(this::takePart, this::lookForOthers));
    }

    /** The member, as soon as there is one. */
    CompletableFuture<QuorumMember> running() {
        return running;
    }

    /** What this process does for its clients. */
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
        var watch = new LaterWatch();
        QuorumMember.ignored(running.thenAccept(now -> watch.begin(now.watch(election, changed))));
        return watch;
    }

    @Override
    public void close() {
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
                    now.received(message);
                }
            }

            @Override
            public void request(long number, Frames.Request request, byte[] body) {
                QuorumMember.ignored(serve(from, request, body)
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
                yield now == null ? notLeader() : now.append(body);
            }
            case JOIN -> {
                var source = new ByteSource(body);
                QuorumEndpoint joining = QuorumEndpoint.read(source);
                source.end();
                yield now == null ? notLeader() : joinStep(now, joining);
            }
            case CONNECT, READ, WRITE_FOR_CLIENT, WATCH, UNWATCH -> clients.serve(now, from, request, body);
        };
    }

    private CompletableFuture<Requests.Answered> joinStep(QuorumMember now, QuorumEndpoint joining) {
        var done = new CompletableFuture<Requests.Answered>();
        time.execute(() -> QuorumMember.ignored(join(now, joining).thenAccept(done::complete)));
        return done;
    }

    private <T> CompletableFuture<T> onThread(Supplier<T> action) {
        var done = new CompletableFuture<T>();
        time.execute(() -> done.complete(action.get()));
        return done;
    }

    private Introduction introduction() {
        return new Introduction(self, journal.group().orElse(""), journal.founders());
    }

    /** The directory belongs to a quorum. */
    private void takePart(String group) {
        var made = new QuorumMember(
                group, self, journal.founders(), journal, time, wire, requests, announcer, random, commitsPerSnapshot);
        member = made;
        QuorumMember.ignored(made.start().thenAccept(started -> running.complete(made)));
        if (!journal.founders().contains(self)) {
            askToJoin(0);
        } else {
            joined.complete(null);
        }
    }

    private void lookForOthers() {
        if (isClosed || member != null) {
            return;
        }
        introductions.put(self.address(), introduction());
        for (String address : addresses) {
            if (!address.equals(self.address())) {
                ask(address, Frames.Request.INTRODUCE, new byte[0], answered -> introduced(address, answered));
            }
        }
        time.after(ASK_AGAIN, this::lookForOthers);
    }

    private void introduced(String address, Requests.Answered answered) {
        if (member != null || answered.answer() != Frames.Answer.DONE) {
            return;
        }
        var introduction = Introduction.read(answered.body());
        introductions.put(address, introduction);
        if (!introduction.isNew()) {
            belongTo(introduction.group(), introduction.founders());
        } else if (addresses.get(0).equals(self.address())
                && Introduction.canFound(introductions.values(), addresses)) {
            LOG.log(Level.INFO, "this process founds a quorum of " + String.join(", ", addresses));
            belongTo(
                    UUID.randomUUID().toString(),
                    addresses.stream()
                            .map(each -> Objects.requireNonNull(introductions.get(each), "all have answered"))
                            .map(Introduction::self)
                            .toList());
        }
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

    /** Asks one process after the other until the leader has made this process a member. */
    private void askToJoin(int turn) {
        if (isClosed || joined.isDone()) {
            return;
        }
        String address = addresses.get(turn % addresses.size());
        if (!address.equals(self.address())) {
            var body = new ByteSink();
            QuorumEndpoint.write(body, self);
            ask(address, Frames.Request.JOIN, body.bytes(), answered -> {
                switch (answered.answer()) {
                    case DONE -> joined.complete(null);
                    case UNKNOWN -> LOG.log(Level.WARNING, new ByteSource(answered.body()).text());
                    case NOT_LEADER, UNAVAILABLE -> {
                        // There is another step, or another leader.
                    }
                }
            });
        }
        time.after(ASK_AGAIN, () -> askToJoin(turn + 1));
    }

    private void ask(String address, Frames.Request request, byte[] body, Consumer<Requests.Answered> onAnswer) {
        CompletableFuture<Requests.Answered> answered = requests.send(address, request, body);
        time.after(ANSWER, () -> answered.completeExceptionally(new StoreUnavailableException("no answer in time")));
        QuorumMember.ignored(answered.thenAccept(answer -> time.execute(() -> onAnswer.accept(answer))));
    }

    /** The next step by which a process becomes a member. It asks again until no step is left. */
    private static CompletableFuture<Requests.Answered> join(QuorumMember leader, QuorumEndpoint joining) {
        if (!leader.isLeader()) {
            return notLeader();
        }
        RaftGroupMembers present = leader.members();
        Optional<RaftEndpoint> replaced = present.getMembers().stream()
                .filter(each -> !each.equals(joining))
                .filter(each -> ((QuorumEndpoint) each).address().equals(joining.address()))
                .findFirst();
        if (present.getVotingMembers().contains(joining)) {
            return CompletableFuture.completedFuture(Requests.Answered.done(new byte[0]));
        }
        if (present.getMembers().contains(joining)) {
            // The lost member goes first: until the new one votes, the others are a majority without it.
            return replaced.isPresent()
                    ? leader.hasAll(joining)
                            .thenCompose(hasAll -> hasAll
                                    ? changed(leader.change(
                                            (QuorumEndpoint) replaced.get(),
                                            MembershipChangeMode.REMOVE_MEMBER,
                                            present))
                                    : notLeader())
                    : changed(leader.change(joining, MembershipChangeMode.ADD_OR_PROMOTE_TO_FOLLOWER, present));
        }
        if (replaced.isEmpty()) {
            return CompletableFuture.completedFuture(Requests.Answered.unknown("the quorum has no member "
                    + joining.address() + "; name the members that it has, or add this one"));
        }
        return changed(leader.change(joining, MembershipChangeMode.ADD_LEARNER, present));
    }

    /** Whether a step succeeded or failed: the next one is decided anew. */
    private static CompletableFuture<Requests.Answered> changed(CompletableFuture<?> change) {
        return change.handle((done, failure) -> Requests.Answered.NOT_LEADER);
    }

    private static CompletableFuture<Requests.Answered> notLeader() {
        return CompletableFuture.completedFuture(Requests.Answered.NOT_LEADER);
    }

    private CompletableFuture<QuorumMember> member(Duration timeout) {
        var found = new CompletableFuture<QuorumMember>();
        QuorumMember.ignored(running.thenAccept(found::complete));
        time.after(timeout, () -> found.completeExceptionally(new StoreUnavailableException(waiting())));
        return found;
    }

    private String waiting() {
        return journal.failure()
                .getNow("the quorum is not founded yet: this process waits for all of " + String.join(", ", addresses));
    }

    /** A watch that may begin after it was asked for, and may be ended before. */
    private static final class LaterWatch implements LeaseStore.Watch {
        private LeaseStore.@Nullable Watch begun;
        private boolean isEnded;

        synchronized void begin(LeaseStore.Watch watch) {
            begun = watch;
            if (isEnded) {
                watch.close();
            }
        }

        @Override
        public synchronized void close() {
            isEnded = true;
            if (begun != null) {
                begun.close();
            }
        }
    }
}
