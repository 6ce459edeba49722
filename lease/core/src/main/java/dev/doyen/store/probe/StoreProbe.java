package dev.doyen.store.probe;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Tests whether a store follows the rules of {@code LeaseStore}. Servers with the same protocol can differ in this
 * respect.
 *
 * <p>A probe is harmless in a store that is in use. The probe writes only elections named {@code ~probe-...}, which
 * no candidate ever holds. Repeated probes write at most {@value #NAMES} + 2 such elections. Any number of probes may
 * run at the same time. A probe does not count the writes of another probe as faults.
 *
 * <p>Threads: a probe usually makes one attempt, and at most 32. An attempt makes about 12 store calls, one after
 * another, on the calling thread. {@link #full} then makes 20 writes on four additional threads, and 10 reads on the
 * calling thread. The method shuts the four threads down before it returns. Errors: {@link StoreUnavailableException}
 * if the store does not answer, or if other processes change the records so often that a probe has no result.
 */
public final class StoreProbe {

    static final int NAMES = 16;

    private static final int ATTEMPTS = 32;
    private static final int UNANSWERED = 8;

    private StoreProbe() {}

    static StoreRefusedException refused(CasOutcome.Unknown outcome) {
        return new StoreRefusedException("the store rejects writes of this process", outcome.reason(), null);
    }

    /** Tests each rule by itself, and then tests competing writes. */
    public static StoreReport full(LeaseStore store) {
        return probe(store, true);
    }

    /**
     * Tests each rule by itself, without competing writes. Stores that probe themselves when they are opened use this
     * method.
     */
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
