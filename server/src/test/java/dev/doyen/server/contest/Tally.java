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
    long kills;

    /** Runs that a kill of the hub fell into. */
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
                + reentries + " re-entries, " + resumed + " resumes, " + kills + " kills of the hub, in which "
                + struck + " runs were";
    }
}
