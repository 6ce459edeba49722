package dev.doyen.store;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A check, made at start-up, of what a store really does: servers that speak the same protocol differ in it.
 *
 * <p>Harmless in a store that is in use: it writes only elections named {@code ~probe-...}, at most {@value #NAMES} and
 * two of them however often it runs, and nobody ever holds these. Any number of probes may run at once; what another
 * one writes is not taken for a fault.
 *
 * <p>Threads: blocks while it runs, some 12 store calls after another, and for {@link #full} 20 more by four threads of
 * its own, which have ended when it returns. Errors: a store that gives no answer, or whose records others keep
 * changing, cannot be judged: {@link StoreUnavailableException}.
 */
public final class StoreProbe {

    static final int NAMES = 16;

    private static final int ATTEMPTS = 32;
    private static final int UNANSWERED = 8;

    private StoreProbe() {}

    /** Everything: each rule by itself, then a race. */
    public static StoreReport full(LeaseStore store) {
        return probe(store, true);
    }

    /** Each rule by itself, without the race: for a store that probes itself whenever it is opened. */
    public static StoreReport brief(LeaseStore store) {
        return probe(store, false);
    }

    private static StoreReport probe(LeaseStore store, boolean race) {
        Set<ProbeFault> faults = EnumSet.noneOf(ProbeFault.class);
        var timed = new ProbedStore(store);
        var rules = new ProbeRules(timed, faults);
        int first = ThreadLocalRandom.current().nextInt(NAMES);
        int attempt = 0;
        while (!rules.judge("~probe-" + (first + attempt) % NAMES)) {
            if (++attempt == ATTEMPTS || timed.unanswered() >= UNANSWERED) {
                throw new StoreUnavailableException("the store could not be judged in " + attempt + " attempts: "
                        + timed.lastTrouble() + "; try again when it answers");
            }
        }
        if (race) {
            new ProbeRace(store, "~probe-race", faults).run();
        }
        return new StoreReport(
                faults.stream().map(ProbeFault::sentence).toList(), store.promises(), timed.reads(), timed.writes());
    }
}
