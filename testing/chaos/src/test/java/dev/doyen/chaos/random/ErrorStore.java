package dev.doyen.chaos.random;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store whose reads and writes throw Errors while a {@link Switch} is on.
 *
 * <p>The Errors are {@link OutOfMemoryError} and {@link StackOverflowError}. Every second call is carried out before it
 * throws its Error. Threads: any.
 */
final class ErrorStore extends ForwardingLeaseStore {

    private final Switch errors;

    /** Turns the Errors of several stores on for some time. Threads: any. */
    static final class Switch {
        private final AtomicLong until = new AtomicLong(System.nanoTime());
        private final AtomicLong thrown = new AtomicLong();

        /** Makes all reads and writes throw Errors for this time. */
        void on(long nanos) {
            until.set(System.nanoTime() + nanos);
        }

        private boolean isOn() {
            return until.get() - System.nanoTime() > 0;
        }

        private Error next(long number) {
            return (number & 2) == 0
                    ? new OutOfMemoryError("injected by the chaos test")
                    : new StackOverflowError("injected by the chaos test");
        }
    }

    /** A call to the wrapped store. */
    private interface Call<T> {
        T run();
    }

    ErrorStore(LeaseStore behind, Switch errors) {
        super(behind);
        this.errors = errors;
    }

    @Override
    public VersionedLease read(String election) {
        return orError(() -> behind().read(election));
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        return orError(() -> behind().compareAndSet(election, expected, next));
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        return orError(() -> behind().readAll(elections));
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> writes) {
        return orError(() -> behind().compareAndSetAll(writes));
    }

    private <T> T orError(Call<T> call) {
        if (!errors.isOn()) {
            return call.run();
        }
        long number = errors.thrown.getAndIncrement();
        if ((number & 1) == 1) {
            call.run();
        }
        throw errors.next(number);
    }
}
