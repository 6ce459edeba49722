package dev.doyen.stores.quorum;

import java.util.Random;
import java.util.concurrent.Executor;

/**
 * The environment of a process that is configured as a member. A simulation supplies its own.
 *
 * @param self this process
 * @param journal the journal in its directory
 * @param announcer runs one task at a time; watchers are called on it
 * @param random the source of the jitter in election timeouts
 * @param commitsPerSnapshot the number of log entries between two snapshots; the member keeps them in memory
 *     until the next one
 */
record MemberEnvironment(
        QuorumEndpoint self,
        RaftJournal journal,
        RaftTime time,
        Wire wire,
        Executor announcer,
        Random random,
        int commitsPerSnapshot) {

    MemberEnvironment withWire(Wire other) {
        return new MemberEnvironment(self, journal, time, other, announcer, random, commitsPerSnapshot);
    }
}
