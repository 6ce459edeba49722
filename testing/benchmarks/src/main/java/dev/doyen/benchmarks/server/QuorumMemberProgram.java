package dev.doyen.benchmarks.server;

import dev.doyen.store.LeaseStore;

/** A program that runs a member of a quorum until its standard input ends. The process has no candidate. */
final class QuorumMemberProgram {

    private QuorumMemberProgram() {}

    /**
     * Runs the member.
     *
     * @param args the URL of the member's store
     */
    public static void main(String[] args) throws Exception {
        LeaseStore store = LeaseStore.open(args[0]);
        // The input ends when the parent process ends.
        int read = System.in.read();
        while (read >= 0) {
            read = System.in.read();
        }
        store.close();
    }
}
