package dev.doyen.store.probe;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Tests whether a store accepts a read and a write of this process.
 *
 * <p>The write is as harmless as those of {@link StoreProbe}. After a test with a result, the object returns this
 * result again and sends no more requests.
 *
 * <p>Threads: any. Only one thread at a time sends the two requests.
 */
public final class RightsProbe {

    private final LeaseStore store;
    private Optional<List<String>> known = Optional.empty();

    public RightsProbe(LeaseStore store) {
        this.store = store;
    }

    /**
     * Returns the missing right and the remedy, as {@link LeaseStore#missingRights} specifies.
     *
     * <p>If the store does not answer, the result is empty, and the next call repeats the test.
     */
    public synchronized List<String> missing() {
        if (known.isEmpty()) {
            known = test();
        }
        return known.orElse(List.of());
    }

    private Optional<List<String>> test() {
        String name = "~probe-" + ThreadLocalRandom.current().nextInt(StoreProbe.NAMES);
        try {
            VersionedLease before = store.read(name);
            CasOutcome outcome = store.compareAndSet(name, before.version(), ProbeRules.record(name, before));
            if (!(outcome instanceof CasOutcome.Unknown unknown)) {
                return Optional.of(List.of());
            }
            return unknown.refused() ? Optional.of(List.of(sentence("write", unknown.reason()))) : Optional.empty();
        } catch (StoreRefusedException e) {
            return Optional.of(List.of(sentence("read", String.valueOf(e.getMessage()))));
        } catch (StoreUnavailableException e) {
            // The store is away. This shows nothing about the rights.
            return Optional.empty();
        }
    }

    private static String sentence(String verb, String why) {
        return "this process may not " + verb + " leases, because a right is missing: " + why;
    }
}
