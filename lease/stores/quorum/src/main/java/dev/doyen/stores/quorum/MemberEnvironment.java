package dev.doyen.stores.quorum;

import java.util.Random;
import java.util.concurrent.Executor;

/**
 * The environment of a configured member: its journal, thread and network. A simulation supplies its own environment.
 *
 * @param self the identity of this process
 * @param journal the journal in the directory of this process
 * @param announcer the executor that calls the watchers and runs only one task at a time
 * @param random the source of the jitter in election timeouts
 * @param commitsPerSnapshot the maximum number of log entries between two snapshots; the member stores these entries in
 *     memory until the next snapshot
 * @param keptEntries the maximum number of entries before a snapshot that remain in memory, for followers that lag
 *     behind
 */
record MemberEnvironment(
        QuorumEndpoint self,
        RaftJournal journal,
        RaftTime time,
        Wire wire,
        Executor announcer,
        Random random,
        int commitsPerSnapshot,
        int keptEntries) {

    MemberEnvironment withWire(Wire other) {
        return new MemberEnvironment(self, journal, time, other, announcer, random, commitsPerSnapshot, keptEntries);
    }
}
