package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.log.SnapshotEntry;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** A host of a {@link QuorumWorld} that has a disk and runs a process configured as a member. */
final class WorldMember extends WorldHost {

    /**
     * The number of commits between two snapshots. The number is small, so that members restart from snapshots, and
     * also receive snapshots from the leader.
     */
    private static final int COMMITS_PER_SNAPSHOT = 20;

    private static final int KEPT_ENTRIES = 2;

    /**
     * The number of commits between two snapshots in a world with close snapshots. The number is smaller than the
     * number of kept entries, as after large entries.
     */
    private static final int COMMITS_PER_CLOSE_SNAPSHOT = 3;

    private static final int KEPT_ENTRIES_OF_CLOSE_SNAPSHOT = 10;

    private MemoryFile file = new MemoryFile();
    private int directory;

    /** True if the member lost its directory and is not a voter again yet. */
    private boolean isLost;

    private RaftJournal journal;
    private QuorumProcess process;

    WorldMember(QuorumWorld world, int number) {
        super(world, number, address(number));
    }

    static String address(int number) {
        return "m" + number + ":7800";
    }

    @Override
    boolean isMember() {
        return true;
    }

    @Override
    RegisterUser.Access startProcess() {
        journal = new RaftJournal(world().disk(file));
        var started = new QuorumProcess(
                world().addresses(),
                new MemberEnvironment(
                        self(),
                        journal,
                        new WorldTime(this),
                        world().network().wire(this),
                        Runnable::run,
                        new Random(world().random().nextLong()),
                        world().hasCloseSnapshots() ? COMMITS_PER_CLOSE_SNAPSHOT : COMMITS_PER_SNAPSHOT,
                        world().hasCloseSnapshots() ? KEPT_ENTRIES_OF_CLOSE_SNAPSHOT : KEPT_ENTRIES));
        process = started;
        started.start();
        int own = incarnation();
        started.joined().thenRun(() -> {
            if (own == incarnation()) {
                isLost = false;
            }
        });
        return new RegisterUser.Access() {
            @Override
            public CompletableFuture<VersionedLease> read(String register) {
                return started.catchUp(RegisterUser.TIMEOUT)
                        .thenApply(done -> started.read(register, RegisterUser.TIMEOUT));
            }

            @Override
            public CompletableFuture<List<CasOutcome>> write(List<LeaseStore.Write> writes) {
                return started.write(writes, RegisterUser.TIMEOUT);
            }
        };
    }

    @Override
    void powerLost() {
        file = file.afterPowerLoss(world().random());
    }

    /**
     * Restarts the process with an empty disk. The method does nothing if this member is no voter, if an operator's
     * command is open, or if the quorum could not replace the lost voter (see {@link QuorumWorld#canLoseOne}).
     */
    void loseDirectory() {
        if (isVoter() && world().operator().isIdle() && world().canLoseOne()) {
            isLost = true;
            reset();
        }
    }

    /** Restarts the process with an empty disk. */
    void reset() {
        losePower();
        file = new MemoryFile();
        directory++;
        start();
    }

    boolean isLost() {
        return isLost;
    }

    MemoryFile file() {
        return file;
    }

    QuorumProcess process() {
        return process;
    }

    /** Returns the {@link QuorumMember} of this process, which must be running. */
    QuorumMember member() {
        return process.running().join();
    }

    /**
     * Writes the newest snapshot of another member to this member's disk, while this member is down.
     *
     * @return false if the other member has no snapshot, or if the member list in its snapshot contains this
     *     member
     */
    boolean copySnapshot(WorldMember other) throws IOException {
        SnapshotEntry snapshot = other.journal.restored().orElseThrow().getSnapshotEntry();
        if (snapshot == null || snapshot.getGroupMembersView().getMembers().contains(self())) {
            return false;
        }
        var copy = new RaftJournal(file);
        for (Object part : (List<?>) snapshot.getOperation()) {
            copy.persistSnapshotChunk((SnapshotChunk) part);
        }
        copy.flush();
        journal = copy;
        return true;
    }

    /** Returns true if the process has detected that it was removed. */
    boolean isRemoved() {
        return isUp() && process.status().problem().orElse("").contains("was removed");
    }

    boolean isIn(List<QuorumEndpoint> members) {
        return isUp() && members.contains(self());
    }

    boolean hasMemberList(MemberList list) {
        return isRunning() && !hasFailed() && member().members().list().equals(list);
    }

    /** Returns true if the process belongs to a quorum. */
    boolean isRunning() {
        return isUp() && process.running().isDone();
    }

    boolean isVoter() {
        return isIn(world().list().voters());
    }

    /** Returns the index of the last change of members in this member's log, confirmed or not. */
    long lastChange() {
        return journal.restored().stream()
                .flatMap(each -> each.getLogEntries().stream())
                .filter(each -> each.getOperation() instanceof UpdateRaftGroupMembersOp)
                .mapToLong(LogEntry::getIndex)
                .max()
                .orElse(0);
    }

    /** Returns true if the log of this member has entries, confirmed or not. */
    boolean hasEntries() {
        return journal.lastIndex() > 0;
    }

    QuorumEndpoint self() {
        return new QuorumEndpoint("m" + number(), address(), "directory " + directory);
    }

    /** Returns true if the process runs but can no longer write to its disk. */
    boolean hasFailed() {
        return isUp() && journal.failure().isDone();
    }

    /** Returns the reason why a read fails; empty if the read succeeds. */
    String refusal() {
        try {
            process.read(RegisterUser.REGISTERS.get(0), RegisterUser.TIMEOUT);
            return "";
        } catch (StoreUnavailableException e) {
            return String.valueOf(e.getMessage());
        }
    }

    boolean votes() {
        return hasMemberList(world().list()) && isVoter();
    }

    boolean leads() {
        return votes() && member().leader().isSelf();
    }

    /** Returns the persistent term. */
    int term() {
        return journal.restored().orElseThrow().getTermPersistentState().getTerm();
    }
}
