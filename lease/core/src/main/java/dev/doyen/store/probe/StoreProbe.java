package dev.doyen.store.probe;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Tests at start-up what a store really does, because servers of the same protocol differ.
 *
 * <p>A probe is harmless in a store that is in use. It writes only the elections {@code ~probe-...}, at most
 * {@value #NAMES} and two of them however often it runs, and nobody ever holds these. Any number of probes may run at
 * once. A probe does not count the writes of another probe as faults.
 *
 * <p>Threads: blocks for about 12 store calls, one after another. {@link #full} makes 20 more on four threads of its
 * own, which have ended when it returns. Errors: {@link StoreUnavailableException} if the store does not answer, or if
 * others keep changing the records, so that it cannot be judged.
 */
public final class StoreProbe {

    static final int NAMES = 16;

    private static final int ATTEMPTS = 32;
    private static final int UNANSWERED = 8;

    private StoreProbe() {}

    /** Tests each rule by itself, then a race. */
    public static StoreReport full(LeaseStore store) {
        return probe(store, true);
    }

    /** Tests each rule by itself, without a race. Suits a store that probes itself whenever it is opened. */
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
