package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import io.microraft.Ordered;
import io.microraft.RaftConfig;
import io.microraft.RaftEndpoint;
import io.microraft.RaftNode;
import io.microraft.RaftRole;
import io.microraft.exception.CannotReplicateException;
import io.microraft.exception.RaftException;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.statemachine.InternalCommitAware;
import io.microraft.impl.task.ReplicateTask;
import io.microraft.impl.util.OrderedFuture;
import io.microraft.model.message.InstallSnapshotRequest;
import io.microraft.model.message.PreVoteRequest;
import io.microraft.model.message.PreVoteResponse;
import io.microraft.model.message.RaftMessage;
import io.microraft.model.message.VoteRequest;
import io.microraft.persistence.RestoredRaftState;
import io.microraft.report.RaftNodeReport;
import io.microraft.report.RaftNodeReport.RaftNodeReportReason;
import io.microraft.statemachine.StateMachine;
import io.microraft.transport.Transport;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A process that keeps a copy of the records, votes, and may lead the log. Everything that is not Raft is here: the records,
 * the requests of other processes, and what this process writes itself.
 *
 * <p>A write goes to the leader of the log once. If its answer is lost the outcome is unknown, and the write is not
 * repeated: it may still be in the log of a member that leads later.
 *
 * <p>Threads: any. Raft and the changes of the records run on the thread of {@link RaftTime}.
 *
 * <p>Longer than most: it is the one place that knows MicroRaft's node.
 */
final class QuorumMember {

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");

    /** The commits from one snapshot to the next. Until then they are kept in memory and in the journal. */
    static final int COMMITS_PER_SNAPSHOT = 2_000;

    /** MicroRaft sends one more. An entry has up to 1 MiB, and all must fit into {@link Wire#MAX_FRAME}. */
    private static final int ENTRIES_PER_MESSAGE = 10;

    /** A journal that grew by more bytes is cut by a snapshot. */
    private static final long MAX_GROWTH = 3 << 20;

    /** MicroRaft's seconds without a heartbeat after which a follower starts an election. */
    private static final int HEARTBEAT_TIMEOUT_SECONDS = 5;

    /** MicroRaft's seconds from one report to the next. */
    private static final int REPORT_SECONDS = 1;

    /** The same in milliseconds. It is also the time in which a majority must have answered a leader. */
    private static final long HEARTBEAT_TIMEOUT_MILLIS = 1_000L * HEARTBEAT_TIMEOUT_SECONDS;

    /** How long to wait for a leader before looking again. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private static final Duration CATCH_UP = Duration.ofSeconds(2);

    private static final byte[] NO_WRITES = LeaseBytes.ofWrites(List.of());

    private final QuorumEndpoint self;
    private final RaftJournal journal;
    private final SnapshotBoundary boundary;
    private final RaftTime time;
    private final RaftClock clock;
    private final Wire wire;
    private final LeaseTable table = new LeaseTable();
    private final LeaseWatches watches;
    private final AppliedIndex applied = new AppliedIndex();
    private final Requests requests;
    private final RaftNode node;
    private final SnapshotInstallation installation;

    /** When this process last knew a leader, in nanoseconds of {@link RaftTime#nanos}; MIN_VALUE before the first one. */
    private volatile long leaderKnown = Long.MIN_VALUE;

    /** At the last report. On the Raft thread. */
    private boolean hadLeader;

    /** MicroRaft's last report; null before the first one. */
    private volatile @Nullable RaftNodeReport lastReport;

    private final CompletableFuture<Void> complete = new CompletableFuture<>();
    private final CompletableFuture<String> stopped = new CompletableFuture<>();

    /** Whether MicroRaft was asked for a snapshot because the journal grew. On the Raft thread. */
    private boolean isSnapshotDue;

    /**
     * @param firstMembers who founded the group; the same on all members, whoever joined or left later
     * @param announcer runs one task after the other; watchers are called on it
     */
    QuorumMember(
            String group,
            QuorumEndpoint self,
            Collection<QuorumEndpoint> firstMembers,
            RaftJournal journal,
            RaftTime time,
            Wire wire,
            Requests requests,
            Executor announcer,
            Random random,
            int commitsPerSnapshot) {
        this.self = self;
        this.journal = journal;
        this.boundary = new SnapshotBoundary(journal);
        this.time = time;
        this.clock = new RaftClock(time);
        this.wire = wire;
        this.requests = requests;
        this.watches = new LeaseWatches(announcer);
        RaftNode.RaftNodeBuilder builder = RaftNode.newBuilder()
                .setGroupId(group)
                .setConfig(config(commitsPerSnapshot))
                .setModelFactory(RaftBytes.MODEL)
                .setExecutor(new ElectionTimeouts(time, random))
                .setClock(clock)
                .setRandom(random)
                .setTransport(new Messages())
                .setStore(journal)
                .setStateMachine(new Records())
                .setRaftNodeReportListener(this::changed);
        Optional<RestoredRaftState> restored = journal.restored();
        restored.ifPresentOrElse(
                builder::setRestoredState,
                () -> builder.setLocalEndpoint(self).setInitialGroupMembers(List.<RaftEndpoint>copyOf(firstMembers)));
        this.node = builder.build();
        this.installation = new SnapshotInstallation((RaftNodeImpl) node);
        ignored(journal.failure().thenAccept(this::stop));
    }

    /** A message from another member. */
    void received(RaftMessage message) {
        if (node.getGroupId().equals(message.getGroupId())) {
            time.execute(() -> {
                learnTerm(message);
                learnEnd(message);
                handle(message);
            });
        }
    }

    private void handle(RaftMessage message) {
        if (message instanceof InstallSnapshotRequest request) {
            install(request);
        } else {
            node.handle(boundary.arrived(message, node.getTerm().getTerm()));
        }
    }

    private void install(InstallSnapshotRequest request) {
        try {
            installation.handle(request);
        } catch (RaftException e) {
            // The journal has logged the reason, and this member stops.
            LOG.log(Level.DEBUG, "the snapshot was not installed", e);
        }
    }

    /**
     * Takes over the term of a member that rejects a pre-vote because its own term is greater. MicroRaft 0.7 does not.
     * If that member has an older log, and no third one is there, then each of the two rejects the other for ever. A
     * rejection for another reason has the term that was asked for, which is the present one plus 1.
     */
    private void learnTerm(RaftMessage message) {
        if (message instanceof PreVoteResponse response
                && !response.isGranted()
                && !stopped.isDone()
                && leader().isEmpty()
                && response.getTerm() > node.getTerm().getTerm() + 1) {
            try {
                ((RaftNodeImpl) node).toFollower(response.getTerm());
            } catch (RaftException e) {
                // The journal has logged the reason, and this member stops.
                LOG.log(Level.DEBUG, "the term was not taken over", e);
            }
        }
    }

    /**
     * Ends the wait for a leader that does not lead any more, because it asks for votes in the next term itself. MicroRaft
     * would wait until the heartbeat timeout has passed without a message, and reject all candidates until then.
     */
    private void learnEnd(RaftMessage message) {
        if (message instanceof PreVoteRequest request
                && request.getSender().equals(node.getTerm().getLeaderEndpoint())
                && request.getTerm() > node.getTerm().getTerm()) {
            clock.skip(HEARTBEAT_TIMEOUT_MILLIS);
        }
    }

    /** Begins to take part. Completes when the member runs; it may not know a leader yet. */
    CompletableFuture<Void> start() {
        return node.start().thenAccept(started -> becomeComplete());
    }

    /** Completes when this copy has all records that were confirmed before the process started. */
    CompletableFuture<Void> complete() {
        return complete;
    }

    /** Gets what was confirmed while this process was away, however long that takes. */
    private void becomeComplete() {
        if (!stopped.isDone()) {
            ignored(catchUp(CATCH_UP).whenComplete((done, failure) -> {
                if (failure == null) {
                    complete.complete(null);
                } else {
                    time.after(LOOK_AGAIN, this::becomeComplete);
                }
            }));
        }
    }

    VersionedLease read(String election, Duration patience) {
        checkUpToDate(patience);
        return table.read(election);
    }

    /** Throws {@link StoreUnavailableException} if this copy is not known to be up to date. */
    void checkUpToDate(Duration patience) {
        if (stopped.isDone()) {
            throw new StoreUnavailableException(stopped.join());
        }
        if (!complete.isDone()) {
            throw new StoreUnavailableException(
                    "this member has not got all records from the quorum yet; it needs a majority of the members");
        }
        if (leader().isEmpty() && time.nanos() - leaderKnown > patience.toNanos()) {
            throw new StoreUnavailableException("no majority: this member knows no leader of the quorum since "
                    + Duration.ofNanos(time.nanos() - leaderKnown).toMillis() + " ms");
        }
    }

    CompletableFuture<List<CasOutcome>> write(List<LeaseWrite> writes, Duration timeout) {
        return ask(LeaseBytes.ofWrites(writes), false, timeout).thenCompose(body -> {
            var source = new ByteSource(body);
            long index = source.longNumber();
            List<CasOutcome> outcomes = source.all(LeaseBytes::readOutcome);
            source.end();
            CompletableFuture<List<CasOutcome>> known = applied.reached(index).thenApply(reached -> outcomes);
            // The outcomes are valid, whether this copy has the writes in time or not.
            time.after(timeout, () -> known.complete(outcomes));
            return known;
        });
    }

    /** An entry without writes stands behind all entries that were confirmed before. It may be there more than once. */
    CompletableFuture<Void> catchUp(Duration timeout) {
        return ask(NO_WRITES, true, timeout).thenCompose(body -> {
            CompletableFuture<Void> known =
                    applied.reached(new ByteSource(body).longNumber()).thenAccept(reached -> {});
            time.after(
                    timeout,
                    () -> known.completeExceptionally(new StoreUnavailableException(
                            "this member did not get all records within " + timeout.toMillis() + " ms")));
            return known;
        });
    }

    LeaseStore.Watch watch(String election, Runnable changed) {
        return watches.watch(election, changed);
    }

    /**
     * Returns what MicroRaft reported last; empty before its first report.
     *
     * @param waits what this process waits for before it takes part
     */
    Optional<QuorumStatus> status(Optional<String> waits, Predicate<QuorumEndpoint> isReachable) {
        Optional<String> problem = Optional.ofNullable(stopped.getNow(null)).or(() -> waits);
        return Optional.ofNullable(lastReport)
                .map(report -> MemberReport.status(report, applied.last(), problem, isReachable));
    }

    /** Whether a watcher of this record has not ended. */
    boolean isWatched(String election) {
        return watches.isWatched(election);
    }

    /** Empty while this process knows none. */
    Optional<QuorumEndpoint> leader() {
        return Optional.ofNullable((QuorumEndpoint) node.getTerm().getLeaderEndpoint());
    }

    /** Completes with true when a leader is known, and with false after {@code timeout}. */
    CompletableFuture<Boolean> leaderKnown(Duration timeout) {
        var known = new CompletableFuture<Boolean>();
        time.after(timeout, () -> known.complete(false));
        lookForLeader(known);
        return known;
    }

    private void lookForLeader(CompletableFuture<Boolean> known) {
        if (leader().isPresent()) {
            known.complete(true);
        } else if (!known.isDone()) {
            time.after(LOOK_AGAIN, () -> lookForLeader(known));
        }
    }

    boolean isLeader() {
        return leader().filter(self::equals).isPresent();
    }

    /** The id of the quorum. */
    String group() {
        return (String) node.getGroupId();
    }

    /** All members, as the last confirmed change left them. */
    MemberList memberList() {
        return MemberList.of(node.getCommittedMembers());
    }

    /** The other members, voting or not. */
    List<QuorumEndpoint> others() {
        return memberList().members().stream()
                .filter(each -> !each.equals(self))
                .toList();
    }

    /** Returns the facts for the next change of members; empty if this member does not lead. */
    CompletableFuture<Optional<MemberPlan>> plan(Predicate<QuorumEndpoint> isReachable) {
        return node.getReport().thenApply(ordered -> {
            RaftNodeReport report = ordered.getResult();
            if (report.getRole() != RaftRole.LEADER) {
                return Optional.empty();
            }
            Map<QuorumEndpoint, Long> confirmed = new HashMap<>();
            report.getLog()
                    .getFollowerMatchIndices()
                    .forEach((each, index) -> confirmed.put((QuorumEndpoint) each, index));
            MemberList members = MemberList.of(report.getCommittedMembers());
            return Optional.of(new MemberPlan(
                    members,
                    self,
                    report.getLog().getCommitIndex(),
                    confirmed,
                    members.members().stream().filter(isReachable).collect(Collectors.toSet())));
        });
    }

    /**
     * Changes the list of members, if this member leads and the list is still the one that the change was decided for.
     * Only one change at a time. It goes around MicroRaft's own method, because that cannot exchange a placeholder for a
     * voter in one entry; see {@link MemberList}.
     */
    CompletableFuture<?> change(MemberStep.Change change) {
        var done = new OrderedFuture<Object>();
        time.execute(() -> {
            if (memberList().equals(change.present())) {
                new ReplicateTask((RaftNodeImpl) node, change.operation(), done).run();
            } else {
                done.fail(new IllegalStateException("the list of members is another one by now"));
            }
        });
        return done;
    }

    /** Lets another voter lead. This member accepts no writes until then; it tells their senders to ask again. */
    CompletableFuture<?> transferTo(QuorumEndpoint other) {
        return node.transferLeadership(other);
    }

    /** Stops for good: what this member would promise from now on it could not keep. */
    void stop(String because) {
        stopped.complete(because);
        ignored(node.terminate());
    }

    /** Completes with the reason when this member stops: it was closed, or its journal failed. */
    CompletableFuture<String> stopped() {
        return stopped;
    }

    void close() {
        stop("this member of the quorum was closed");
    }

    /** Asks the leader of the log to append these writes, as soon as there is one. */
    private CompletableFuture<byte[]> ask(byte[] body, boolean isRepeatable, Duration timeout) {
        var result = new CompletableFuture<byte[]>();
        time.after(
                timeout,
                () -> result.completeExceptionally(new StoreUnavailableException(
                        leader().isPresent()
                                ? "the quorum did not answer within " + timeout.toMillis() + " ms"
                                : "no majority: no leader of the quorum was known within " + timeout.toMillis()
                                        + " ms")));
        attempt(body, isRepeatable, result);
        return result;
    }

    private void attempt(byte[] body, boolean isRepeatable, CompletableFuture<byte[]> result) {
        if (stopped.isDone()) {
            result.completeExceptionally(new StoreUnavailableException(stopped.join()));
        }
        if (result.isDone()) {
            return;
        }
        Runnable again = () -> time.after(LOOK_AGAIN, () -> attempt(body, isRepeatable, result));
        Optional<QuorumEndpoint> leader = leader();
        if (leader.isEmpty()) {
            again.run();
            return;
        }
        CompletableFuture<Requests.Answered> answered = leader.get().equals(self)
                ? append(body)
                : requests.send(leader.get().address(), Frames.Request.WRITE, body);
        ignored(answered.whenComplete((answer, failure) -> {
            Throwable unknown = failure != null ? failure : answer.unknown();
            if (unknown == null) {
                if (answer.answer() == Frames.Answer.DONE) {
                    result.complete(answer.body());
                } else {
                    again.run();
                }
            } else if (isRepeatable) {
                again.run();
            } else {
                result.completeExceptionally(unknown);
            }
        }));
    }

    /** Appends writes here, if this member leads the log. Never fails: a fault is an answer too. */
    CompletableFuture<Requests.Answered> append(byte[] body) {
        if (!isLeader()) {
            return CompletableFuture.completedFuture(Requests.Answered.NOT_LEADER);
        }
        return node.<List<CasOutcome>>replicate(body)
                .handle((entry, failure) -> failure == null ? Requests.Answered.done(written(entry)) : failed(failure));
    }

    private static byte[] written(Ordered<List<CasOutcome>> entry) {
        return new ByteSink()
                .longNumber(entry.getCommitIndex())
                .all(entry.getResult(), LeaseBytes::writeOutcome)
                .bytes();
    }

    private static Requests.Answered failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        // MicroRaft throws this one before it appends anything.
        return cause instanceof CannotReplicateException
                ? Requests.Answered.NOT_LEADER
                : Requests.Answered.unknown("the leader of the quorum lost its place: "
                        + cause.getClass().getSimpleName());
    }

    /** MicroRaft reports on the Raft thread: each second of its own, and at each change. */
    private void changed(RaftNodeReport report) {
        lastReport = report;
        RaftEndpoint leader = report.getTerm().getLeaderEndpoint();
        if (leader != null || hadLeader) {
            leaderKnown = time.nanos();
        }
        hadLeader = leader != null;
        if (leader != null) {
            requests.giveUpOthers(((QuorumEndpoint) leader).address(), "another member leads the quorum now");
        }
        if (report.getReason() == RaftNodeReportReason.PERIODIC) {
            electAfterAll(report);
            stepDownWithoutVoters(report);
        }
    }

    /**
     * Ends the leadership of a member that too few voters answer. MicroRaft 0.7 counts the answers of learners too, so with
     * two learners a leader would believe for ever that it leads.
     */
    private void stepDownWithoutVoters(RaftNodeReport report) {
        if (report.getRole() != RaftRole.LEADER) {
            return;
        }
        Map<RaftEndpoint, Long> answered = report.getHeartbeatTimestamps();
        long present = report.getEffectiveMembers().getVotingMembers().stream()
                .filter(each -> each.equals(self)
                        || clock.millis() - answered.getOrDefault(each, 0L) <= HEARTBEAT_TIMEOUT_MILLIS)
                .count();
        if (present < report.getEffectiveMembers().getMajorityQuorumSize()) {
            ((RaftNodeImpl) node).toFollower(report.getTerm().getTerm());
        }
    }

    /**
     * Starts an election that MicroRaft 0.7 would never start. If a follower asks for votes beforehand (pre-vote) and then
     * hears the leader of the same term, it does not forget that it asked. When this leader falls silent later, it takes
     * its old question for a new one, and waits for ever. Each member that starts again asks in this way.
     */
    private void electAfterAll(RaftNodeReport report) {
        var follower = (RaftNodeImpl) node;
        boolean isSilent = report.getLeaderHeartbeatTimestamp()
                .filter(heard -> clock.millis() - heard >= HEARTBEAT_TIMEOUT_MILLIS)
                .isPresent();
        if (report.getRole() == RaftRole.FOLLOWER
                && report.getTerm().getLeaderEndpoint() != null
                && isSilent
                && follower.state().preCandidateState() != null) {
            follower.leader(null);
            follower.runPreVote();
        }
    }

    /** After each entry, because few entries can be many bytes. On the Raft thread. */
    private void cutJournal() {
        if (journal.grown() > MAX_GROWTH && !isSnapshotDue) {
            isSnapshotDue = true;
            ignored(node.takeSnapshot().whenComplete((taken, failure) -> isSnapshotDue = false));
        }
    }

    /** In MicroRaft's seconds, which are {@link RaftTime#FACTOR} times as short as the world's. */
    private static RaftConfig config(int commitsPerSnapshot) {
        return RaftConfig.newBuilder()
                .setLeaderElectionTimeoutMillis(2_000)
                .setLeaderHeartbeatPeriodSecs(1)
                .setLeaderHeartbeatTimeoutSecs(HEARTBEAT_TIMEOUT_SECONDS)
                .setRaftNodeReportPublishPeriodSecs(REPORT_SECONDS)
                .setCommitCountToTakeSnapshot(commitsPerSnapshot)
                .setAppendEntriesRequestBatchSize(ENTRIES_PER_MESSAGE)
                .setTransferSnapshotsFromFollowersEnabled(false)
                .build();
    }

    /** Nobody waits for it, and its failure is seen elsewhere. */
    static void ignored(CompletableFuture<?> unused) {}

    /** The records as MicroRaft's state machine. On the Raft thread. */
    private final class Records implements StateMachine, InternalCommitAware {

        @Override
        public Object runOperation(long index, Object operation) {
            List<CasOutcome> outcomes = table.apply(index, LeaseBytes.writes((byte[]) operation), watches::changed);
            applied.advance(index);
            cutJournal();
            return outcomes;
        }

        /** A change of members. */
        @Override
        public void onInternalCommit(long index) {
            applied.advance(index);
        }

        @Override
        public void takeSnapshot(long index, Consumer<Object> parts) {
            table.snapshot().forEach(parts);
        }

        @Override
        public void installSnapshot(long index, List<Object> parts) {
            table.install(parts.stream().map(byte[].class::cast).toList(), watches::changed);
            applied.advance(index);
        }

        @Override
        public Object getNewTermOperation() {
            return NO_WRITES;
        }
    }

    /** Messages of Raft, on their way out. On the Raft thread. */
    private final class Messages implements Transport {

        @Override
        public void send(RaftEndpoint target, RaftMessage message) {
            if (journal.failure().isDone()) {
                // MicroRaft would confirm entries that it could not flush, if they are sent a second time.
                return;
            }
            if (((QuorumEndpoint) target).isPlaceholder() || (isCandidacy(message) && !hasVote())) {
                return;
            }
            wire.peer(((QuorumEndpoint) target).address())
                    .send(Frames.raft(((QuorumEndpoint) target).directory(), boundary.leaving(message)));
        }

        /** MicroRaft counts a candidate's own vote, also of a member that has just been removed. */
        private boolean hasVote() {
            return node.getEffectiveMembers().getVotingMembers().contains(self);
        }

        private static boolean isCandidacy(RaftMessage message) {
            return message instanceof VoteRequest || message instanceof PreVoteRequest;
        }

        @Override
        public boolean isReachable(RaftEndpoint endpoint) {
            return wire.isReachable(((QuorumEndpoint) endpoint).address());
        }
    }
}
