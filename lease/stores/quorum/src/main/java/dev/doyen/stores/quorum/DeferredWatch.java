package dev.doyen.stores.quorum;

import dev.doyen.store.LeaseStore;
import org.jspecify.annotations.Nullable;

/** A watch that can be closed before it begins. Threads: any. */
final class DeferredWatch implements LeaseStore.Watch {

    private LeaseStore.@Nullable Watch begun;
    private boolean isEnded;

    synchronized void begin(LeaseStore.Watch watch) {
        begun = watch;
        if (isEnded) {
            watch.close();
        }
    }

    @Override
    public synchronized void close() {
        isEnded = true;
        if (begun != null) {
            begun.close();
        }
    }
}
