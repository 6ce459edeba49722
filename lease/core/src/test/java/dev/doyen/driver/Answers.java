package dev.doyen.driver;

import dev.doyen.lease.StoreFault;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Collects the answers to the requests of a test, in order. */
final class Answers {

    private final List<String> all = new ArrayList<>();

    List<String> all() {
        return all;
    }

    StoreExecutor.Reader reader(String name) {
        return new StoreExecutor.Reader() {
            @Override
            public void found(VersionedLease lease) {
                all.add(name + " found " + lease.highestTerm());
            }

            @Override
            public void failed(StoreFault fault) {
                all.add(name + " failed: " + fault.reason());
            }
        };
    }

    Consumer<CasOutcome> writer(String name) {
        return outcome -> all.add(name + " " + outcome);
    }

    /** Returns an unheld record of the given election. */
    static LeaseRecord record(String election) {
        return LeaseRecord.unheld(election, 1, "nonce", Duration.ofSeconds(10), Instant.EPOCH);
    }
}
