package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import io.microraft.RaftEndpoint;
import io.microraft.RaftNode;
import io.microraft.RaftNodeStatus;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.model.message.RaftMessage;
import io.microraft.report.RaftNodeReport;
import io.microraft.report.RaftNodeReport.RaftNodeReportReason;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One member of the quorum: a MicroRaft node with Doyen's additions.
 *
 * <p>The additions are the copy of the records ({@link LeaseCopy}), the log ({@link LogWriter}, {@link LogLeader},
 * {@link LogMembers}) and the messages ({@link IncomingMessages}, {@link OutgoingMessages}).
 *
 * <p>Threads: any. MicroRaft and the changes of the records run on the thread of {@link RaftTime}.
 */
final class QuorumMember {

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");

    private final QuorumEndpoint self;
    private final RaftTime time;
    private final JournalGrowth growth;
    private final Snapshots snapshots;
    private final Requests requests;
    private final RaftNodeImpl node;
    private final LeaseCopy copy;
    private final LogLeader leader;
    private final LogMembers members;
    private final LogWriter log;
    private final LocalWrites writes;
    private final IncomingMessages incoming;
    private final ElectionCorrections elections;

    /** The last report of MicroRaft; null before the first report. */
    private volatile @Nullable RaftNodeReport lastReport;

    private final CompletableFuture<Void> complete = new CompletableFuture<>();
    private final CompletableFuture<String> stopped = new CompletableFuture<>();

    /**
     * Creates a member without starting it.
     *
     * @param founders the founders of the group, which are the same on all members, even after later changes of the
     *     members
     */
    QuorumMember(String group, List<QuorumEndpoint> founders, MemberEnvironment environment, Requests requests) {
        RaftJournal journal = environment.journal();
        this.self = environment.self();
        this.time = environment.time();
        this.requests = requests;
        var clock = new RaftClock(time);
        var boundary = new SnapshotBoundary(journal);
        this.growth = new JournalGrowth(journal, environment.commitsPerSnapshot());
        this.copy = new LeaseCopy(environment.announcer(), this::entryApplied, this::copyFailed);
        RaftNode.RaftNodeBuilder builder = RaftNode.newBuilder()
                .setGroupId(group)
                .setConfig(RaftSettings.config(environment.commitsPerSnapshot()))
                .setModelFactory(RaftBytes.MODEL)
                .setExecutor(new ElectionTimeouts(time, environment.random()))
                .setClock(clock)
                .setRandom(environment.random())
                .setTransport(new OutgoingMessages(journal, boundary, environment.wire(), this::hasVote))
                .setStore(journal)
                .setStateMachine(copy)
                .setRaftNodeReportListener(this::reported);
        journal.restored()
                .ifPresentOrElse(
                        builder::setRestoredState,
                        () -> builder.setLocalEndpoint(self)
                                .setInitialGroupMembers(List.<RaftEndpoint>copyOf(founders)));
        this.node = (RaftNodeImpl) builder.build();
        this.snapshots = new Snapshots(node, journal, copy, environment.keptEntries());
        this.leader = new LogLeader(self, node, time);
        this.members = new LogMembers(self, node, time);
        this.log = new LogWriter(node, admission(), leader, requests, stopped);
        this.writes = new LocalWrites(log, copy, time);
        this.incoming = new IncomingMessages(node, boundary);
        this.elections = new ElectionCorrections(self, node, clock);
        Futures.ignore(journal.failure().thenAccept(this::stop));
    }

    /**
     * Starts the member, and completes the returned future when the member runs. The member possibly has no known
     * leader at this time.
     */
    CompletableFuture<Void> start() {
        return node.start().thenAccept(started -> writes.catchUpAtStart(stopped, complete));
    }

    /** Processes a message from another member. The method ignores messages of other groups. */
    void received(RaftMessage message) {
        if (node.getGroupId().equals(message.getGroupId())) {
            time.execute(() -> {
                if (!stopped.isDone()) {
                    elections.learnTerm(message);
                }
                elections.learnEnd(message);
                incoming.handle(message);
            });
        }
    }

    /** Returns the id of the quorum. */
    String group() {
        return (String) node.getGroupId();
    }

    /** Returns the leader of the log. */
    LogLeader leader() {
        return leader;
    }

    /** Returns the object that reads and changes the member list in the log. */
    LogMembers members() {
        return members;
    }

    /** Returns the writer that appends entries to the log, including entries of other processes. */
    LogWriter log() {
        return log;
    }

    /**
     * Returns a future that completes when this member's copy is up to date. The copy then has all records that were
     * confirmed before the start.
     */
    CompletableFuture<Void> complete() {
        return complete;
    }

    VersionedLease read(String election, Duration patience) {
        checkUpToDate(patience);
        return copy.read(election);
    }

    /**
     * Throws an exception if this member cannot answer reads.
     *
     * @throws StoreUnavailableException if this member has stopped, lacks records, or has had no known leader for
     *     longer than {@code patience}
     */
    void checkUpToDate(Duration patience) {
        if (stopped.isDone()) {
            throw new StoreUnavailableException(stopped.join());
        }
        if (!complete.isDone()) {
            throw new StoreUnavailableException(
                    "this member has not received all records of the quorum yet; it needs a majority of the members");
        }
        if (leader.current().isEmpty() && leader.unknownFor().compareTo(patience) > 0) {
            throw new StoreUnavailableException("no majority: this member has had no leader of the quorum for "
                    + leader.unknownFor().toMillis() + " ms");
        }
    }

    CompletableFuture<List<CasOutcome>> write(List<LeaseStore.Write> changes, Duration timeout) {
        return writes.write(changes, timeout);
    }

    /**
     * Waits until the copy contains all entries that were confirmed before the call. The limits are those of
     * {@link LocalWrites#catchUp}.
     */
    CompletableFuture<Void> catchUp(Duration timeout) {
        return writes.catchUp(timeout);
    }

    LeaseStore.Watch watch(String election, Runnable changed) {
        return copy.watch(election, changed);
    }

    /** Returns true if this record has a watcher. */
    boolean isWatched(String election) {
        return copy.isWatched(election);
    }

    /**
     * Returns the status from MicroRaft's last report; empty before the first report.
     *
     * @param waits the reason why this process waits before it takes part; empty if it does not wait
     */
    Optional<QuorumStatus> status(Optional<String> waits, Predicate<QuorumEndpoint> isReachable) {
        Optional<String> problem = Optional.ofNullable(stopped.getNow(null)).or(() -> waits);
        return Optional.ofNullable(lastReport)
                .map(report -> MemberReport.status(report, copy.appliedIndex(), problem, isReachable));
    }

    /** Stops this member permanently, for example because it cannot store its votes and entries. */
    void stop(String because) {
        stopped.complete(because);
        Futures.ignore(node.terminate());
    }

    /** Returns true if MicroRaft has stopped because the log removes this member. */
    boolean hasReadItsRemoval() {
        return node.getStatus() == RaftNodeStatus.TERMINATED && !stopped.isDone();
    }

    /**
     * Returns a future that completes with the reason when this member stops. A member stops if it is closed, if its
     * journal fails, if it fails to apply an entry, or if it was removed from the quorum.
     */
    CompletableFuture<String> stopped() {
        return stopped;
    }

    void close() {
        stop("this member of the quorum was closed");
    }

    private void copyFailed(Throwable failure) {
        LOG.log(Level.ERROR, "a log entry could not be applied", failure);
        stop("this member could not apply an entry of the log (" + failure + "). Restart its process, which then"
                + " restores the records from its directory");
    }

    private void entryApplied(long index) {
        if (growth.isSnapshotDue(index, copy.bytes())) {
            snapshots.take(index);
            growth.measure(copy.bytes());
        }
    }

    private LogWriter.Admission admission() {
        return new LogWriter.Admission() {
            @Override
            public boolean isFull() {
                return growth.isFull();
            }

            @Override
            public Optional<String> objection(List<LeaseStore.Write> changes) {
                return copy.objection(changes);
            }
        };
    }

    /**
     * Returns true if this member is a voter in its newest member list. The list counts even before it is committed.
     */
    private boolean hasVote() {
        return node.getEffectiveMembers().getVotingMembers().contains(self);
    }

    /**
     * Processes a report of MicroRaft. MicroRaft calls the method on the Raft thread, once in each second of
     * MicroRaft's clock and at each change of its state.
     */
    private void reported(RaftNodeReport report) {
        lastReport = report;
        leader.reported(report);
        RaftEndpoint present = report.getTerm().getLeaderEndpoint();
        if (present != null) {
            requests.giveUpOthers(((QuorumEndpoint) present).address(), "another member leads the quorum now");
        }
        if (report.getReason() == RaftNodeReportReason.PERIODIC) {
            elections.check(report);
        }
    }
}
