package dev.doyen.stores.quorum;

import io.microraft.RaftConfig;

/** The settings of MicroRaft. Its seconds are {@link RaftTime#FACTOR} times as short as the world's. */
final class RaftSettings {

    /** The commits from one snapshot to the next, unless the journal grows quickly; see {@link JournalGrowth}. */
    static final int COMMITS_PER_SNAPSHOT = 2_000;

    /** MicroRaft sends one more. All must fit into {@link Wire#MAX_FRAME}. */
    private static final int ENTRIES_PER_MESSAGE = 10;

    /** MicroRaft's seconds without a heartbeat after which a follower starts an election. */
    private static final int HEARTBEAT_TIMEOUT_SECONDS = 5;

    /** The same in milliseconds. It is also the time in which a majority must have answered a leader. */
    static final long HEARTBEAT_TIMEOUT_MILLIS = 1_000L * HEARTBEAT_TIMEOUT_SECONDS;

    /** MicroRaft's seconds from one report to the next. */
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
