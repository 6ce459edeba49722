package dev.doyen.stores.quorum;

import java.util.Random;
import java.util.concurrent.Executor;

/**
 * The environment of a process that is configured as a member. A simulation supplies its own.
 *
 * @param self this process
 * @param journal of its directory
 * @param announcer runs one task after the other; watchers are called on it
 * @param random for the noise in the timeouts of elections
 * @param commitsPerSnapshot the entries from one snapshot to the next; until then they are kept in memory
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
