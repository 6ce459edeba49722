package dev.doyen.stores.jdbc;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;

/**
 * A process that writes terms 1 to 20 and then halts without closing anything.
 *
 * <p>Arguments: the store's URL and the election.
 */
final class WriteAndHalt {

    private WriteAndHalt() {}

    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] arguments) {
        LeaseStore store = LeaseStore.open(arguments[0]);
        LeaseVersion version = LeaseVersion.ABSENT;
        for (int term = 1; term <= 20; term++) {
            CasOutcome outcome = store.compareAndSet(arguments[1], version, Leases.record(arguments[1], term));
            version = ((CasOutcome.Written) outcome).version();
        }
        System.out.println("wrote 20 terms");
        Runtime.getRuntime().halt(0);
    }
}
