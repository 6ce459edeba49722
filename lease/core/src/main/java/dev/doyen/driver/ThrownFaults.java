package dev.doyen.driver;

import dev.doyen.lease.StoreFault;
import dev.doyen.log.FaultLog;
import dev.doyen.store.StoreUnavailableException;

/** Converts exceptions of a store to faults. Threads: any. */
final class ThrownFaults {

    private static final FaultLog FAULTS = new FaultLog(System.getLogger("dev.doyen"));

    private ThrownFaults() {}

    /**
     * Returns the fault of a request that has thrown.
     *
     * <p>The fault of an exception that no store should throw contains only the name of the exception's class. So the
     * method logs the first exception of each kind.
     */
    static StoreFault of(Throwable thrown) {
        if (!(thrown instanceof StoreUnavailableException)) {
            FAULTS.report("a call to the store", thrown);
        }
        return StoreFault.of(thrown);
    }
}
