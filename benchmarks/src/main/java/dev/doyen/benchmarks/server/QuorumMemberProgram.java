package dev.doyen.benchmarks.server;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStores;

/** A process that is a member of a quorum and does nothing else, until its input ends. */
final class QuorumMemberProgram {

    private QuorumMemberProgram() {}

    /** {@code args}: the URL of the member's store. */
    public static void main(String[] args) throws Exception {
        try (LeaseStore store = LeaseStores.open(args[0])) {
            while (System.in.read() >= 0) {
                // Whoever started it has ended when nothing more can be read.
            }
        }
    }
}
