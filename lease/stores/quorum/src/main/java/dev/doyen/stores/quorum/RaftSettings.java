package dev.doyen.stores.quorum;

import io.microraft.RaftConfig;

/** The settings of MicroRaft. {@link RaftTime#FACTOR} seconds of MicroRaft pass in one real second. */
final class RaftSettings {

    /** The number of commits between two snapshots, unless the journal grows quickly; see {@link JournalGrowth}. */
    static final int COMMITS_PER_SNAPSHOT = 2_000;

    /** The entries in one message. MicroRaft sends one more, and all must fit into {@link Wire#MAX_FRAME}. */
    private static final int ENTRIES_PER_MESSAGE = 10;

    /** The time without a heartbeat after which a follower starts an election, in MicroRaft's seconds. */
    private static final int HEARTBEAT_TIMEOUT_SECONDS = 5;

    /** The heartbeat timeout in milliseconds. A leader steps down if no majority has answered it within this time. */
    static final long HEARTBEAT_TIMEOUT_MILLIS = 1_000L * HEARTBEAT_TIMEOUT_SECONDS;

    /** The time between two reports, in MicroRaft's seconds. */
    private static final int REPORT_SECONDS = 1;

    private RaftSettings() {}

    static RaftConfig config(int commitsPerSnapshot) {
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
}
