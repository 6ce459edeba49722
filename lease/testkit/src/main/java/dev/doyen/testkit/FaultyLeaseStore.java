package dev.doyen.testkit;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A store that fails on demand and records every write. In memory by default. */
public final class FaultyLeaseStore extends ForwardingLeaseStore {

    /** How calls fail. */
    public enum Fault {
        NONE,
        /** Nothing is carried out. Reads fail, and writes have an unknown outcome. */
        AWAY,
        /** Writes are carried out, but their outcome is unknown. Reads fail. */
        ANSWERS_LOST,
        /** Calls throw an exception that no store should throw. */
        BROKEN,
        /**
         * Calls throw an Error, as client libraries do without memory or threads. JUnit reports this one and continues.
         */
        FATAL,
        /** Calls block until another fault is set, and then behave as that one demands. */
        HANGING
    }

    private final List<LeaseRecord> written = Collections.synchronizedList(new ArrayList<>());
    private final Object hanging = new Object();
    private final Map<String, Fault> faultsOfOne = new ConcurrentHashMap<>();
    private volatile Fault fault = Fault.NONE;

    public FaultyLeaseStore() {
        this(new MemoryLeaseStore());
    }

    /** Creates a store in front of {@code behind}. Several of them simulate processes with separate networks. */
    public FaultyLeaseStore(LeaseStore behind) {
        super(behind);
    }

    /** Sets how calls fail from now on. */
    public void fault(Fault from) {
        synchronized (hanging) {
            fault = from;
            hanging.notifyAll();
        }
    }

    /** Sets how calls for this election fail from now on. Calls for other elections do not change. */
    public void fault(String election, Fault from) {
        synchronized (hanging) {
            faultsOfOne.put(election, from);
            hanging.notifyAll();
        }
    }

    boolean isFaulty() {
        return fault != Fault.NONE;
    }

    /** Returns every record stored so far, oldest first. */
    public List<LeaseRecord> written() {
        synchronized (written) {
            return List.copyOf(written);
        }
    }

    @Override
    public VersionedLease read(String election) {
        return switch (faultAfterHanging(election)) {
            case NONE -> behind().read(election);
            case AWAY, ANSWERS_LOST, HANGING -> throw new StoreUnavailableException("told to be away");
            case BROKEN -> throw new IllegalStateException("told to be broken");
            case FATAL -> throw new StackOverflowError("told to be fatal");
        };
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        return switch (faultAfterHanging(election)) {
            case NONE -> carryOut(election, expected, next);
            case AWAY, HANGING -> new CasOutcome.Unknown("told to be away");
            case ANSWERS_LOST -> {
                carryOut(election, expected, next);
                yield new CasOutcome.Unknown("told to lose answers");
            }
            case BROKEN -> throw new IllegalStateException("told to be broken");
            case FATAL -> throw new StackOverflowError("told to be fatal");
        };
    }

    private Fault faultAfterHanging(String election) {
        synchronized (hanging) {
            try {
                while (faultOf(election) == Fault.HANGING) {
                    hanging.wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return faultOf(election);
        }
    }

    private Fault faultOf(String election) {
        Fault ofOne = faultsOfOne.getOrDefault(election, Fault.NONE);
        return ofOne == Fault.NONE ? fault : ofOne;
    }

    private CasOutcome carryOut(String election, LeaseVersion expected, LeaseRecord next) {
        CasOutcome outcome = behind().compareAndSet(election, expected, next);
        if (outcome instanceof CasOutcome.Written) {
            written.add(next);
        }
        return outcome;
    }
}
