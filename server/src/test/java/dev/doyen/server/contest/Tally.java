package dev.doyen.server.contest;

/** How much of everything there was: runs in which nothing happens prove nothing. One thread. */
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
    /** Resumes at another node than before. */
    long moved;

    long kills;
    long frozenNodes;

    /** Runs that something was done to the hub in. */
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
