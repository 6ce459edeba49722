package dev.doyen.testkit;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.MemoryLeaseStore;
import dev.doyen.store.StorePromises;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A store in memory that fails as told, and remembers every record that was written to it. */
public final class FaultyLeaseStore implements LeaseStore {

    /** What becomes of calls. */
    public enum Fault {
        NONE,
        /** Nothing is carried out. */
        AWAY,
        /** Writes are carried out, but no answer says so; reads fail. */
        ANSWERS_LOST,
        /** Calls throw what no store should. */
        BROKEN,
        /** Calls wait for another fault, or none, and are then treated by that. */
        HANGING
    }

    private final MemoryLeaseStore memory = new MemoryLeaseStore();
    private final List<LeaseRecord> written = Collections.synchronizedList(new ArrayList<>());
    private final Object hanging = new Object();
    private volatile Fault fault = Fault.NONE;

    public void fault(Fault from) {
        synchronized (hanging) {
            fault = from;
            hanging.notifyAll();
        }
    }

    /** Every record stored so far, oldest first. */
    public List<LeaseRecord> written() {
        synchronized (written) {
            return List.copyOf(written);
        }
    }

    @Override
    public VersionedLease read(String election) {
        return switch (faultAfterHanging()) {
            case NONE -> memory.read(election);
            case AWAY, ANSWERS_LOST, HANGING -> throw new StoreUnavailableException("told to be away");
            case BROKEN -> throw new IllegalStateException("told to be broken");
        };
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        return switch (faultAfterHanging()) {
            case NONE -> carryOut(election, expected, next);
            case AWAY, HANGING -> new CasOutcome.Unknown("told to be away");
            case ANSWERS_LOST -> {
                carryOut(election, expected, next);
                yield new CasOutcome.Unknown("told to lose answers");
            }
            case BROKEN -> throw new IllegalStateException("told to be broken");
        };
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return memory.watch(election, changed);
    }

    @Override
    public StorePromises promises() {
        return memory.promises();
    }

    @Override
    public void close() {
        memory.close();
    }

    private Fault faultAfterHanging() {
        synchronized (hanging) {
            try {
                while (fault == Fault.HANGING) {
                    hanging.wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return fault;
        }
    }

    private CasOutcome carryOut(String election, LeaseVersion expected, LeaseRecord next) {
        CasOutcome outcome = memory.compareAndSet(election, expected, next);
        if (outcome instanceof CasOutcome.Written) {
            written.add(next);
        }
        return outcome;
    }
}
