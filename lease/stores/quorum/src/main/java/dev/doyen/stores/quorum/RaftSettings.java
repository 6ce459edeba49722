package dev.doyen.stores.quorum;

import io.microraft.RaftConfig;

/**
 * The settings with which this module configures MicroRaft. {@link RaftTime#FACTOR} seconds of MicroRaft pass in one
 * real second.
 */
final class RaftSettings {

    /** The number of commits between two snapshots, unless the journal grows quickly; see {@link JournalGrowth}. */
    static final int COMMITS_PER_SNAPSHOT = 2_000;

    /** The maximum number of entries before a snapshot that remain in memory; see {@link Snapshots}. */
    static final int KEPT_ENTRIES = 200;

    /** The ratio between MicroRaft's interval of snapshots and the interval of {@link Snapshots}. */
    private static final int LIBRARY_INTERVAL_RATIO = 50;

    /**
     * The limit for the entries in one message, which MicroRaft can exceed by one entry. All entries of a message must
     * fit into one frame of at most {@link Wire#MAX_FRAME} bytes.
     */
    private static final int ENTRIES_PER_MESSAGE = 10;

    /** The time without a heartbeat after which a follower starts an election, in MicroRaft's seconds. */
    private static final int HEARTBEAT_TIMEOUT_SECONDS = 5;

    /**
     * The heartbeat timeout in MicroRaft's milliseconds. A leader steps down if no majority has answered it within this
     * time.
     */
    static final long HEARTBEAT_TIMEOUT_MILLIS = 1_000L * HEARTBEAT_TIMEOUT_SECONDS;

    /** The time between two reports, in MicroRaft's seconds. */
    private static final int REPORT_SECONDS = 1;

    private RaftSettings() {}

    /**
     * Returns the number of commits after which MicroRaft takes a snapshot, if it does not find one at this index. The
     * number is large, because MicroRaft logs a warning if it finds one. It is a multiple of
     * {@code commitsPerSnapshot}, so it always finds one.
     */
    static int libraryInterval(int commitsPerSnapshot) {
        return LIBRARY_INTERVAL_RATIO * commitsPerSnapshot;
    }

    static RaftConfig config(int commitsPerSnapshot) {
        return RaftConfig.newBuilder()
                .setLeaderElectionTimeoutMillis(2_000)
                .setLeaderHeartbeatPeriodSecs(1)
                .setLeaderHeartbeatTimeoutSecs(HEARTBEAT_TIMEOUT_SECONDS)
                .setRaftNodeReportPublishPeriodSecs(REPORT_SECONDS)
                .setCommitCountToTakeSnapshot(libraryInterval(commitsPerSnapshot))
                .setAppendEntriesRequestBatchSize(ENTRIES_PER_MESSAGE)
                .setTransferSnapshotsFromFollowersEnabled(false)
                .build();
    }
}
