package dev.doyen.program.contest;

/** Counts the events of all runs. The test fails if too few events happened. Threads: one. */
final class Tally {

    long runs;
    long terms;
    long accepted;
    long refused;
    long cuts;
    long freezes;
    long thawedTooLate;
    long reentries;
    long resumed;
    /** The number of connections that were resumed on another node. */
    long moved;

    long kills;
    long frozenNodes;

    /** The number of runs in which the test injected a fault into the hub. */
    long struck;

    void add(Ledger ledger) {
        runs++;
        terms += ledger.terms();
        accepted += ledger.accepted;
        refused += ledger.refused;
    }

    @Override
    public String toString() {
        return runs + " runs: " + terms + " terms, " + accepted + " publishes accepted, " + refused + " refused, "
                + cuts
                + " sockets cut, " + freezes + " freezes of which " + thawedTooLate + " outlasted a leadership, "
                + reentries + " re-entries, " + resumed + " resumes of which " + moved + " at another node, " + kills
                + " kills of hubs, " + frozenNodes + " freezes of hubs, in which " + struck + " runs were";
    }
}
