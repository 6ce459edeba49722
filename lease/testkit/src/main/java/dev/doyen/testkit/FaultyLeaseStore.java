package dev.doyen.testkit;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.UnreadableRecordException;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store that fails on demand and records every successful write. By default it forwards its calls to a store in
 * memory.
 */
public final class FaultyLeaseStore extends ForwardingLeaseStore {

    /** The way in which reads and writes fail. A fault does not affect {@link #watch} and {@link #prune}. */
    public enum Fault {
        NONE,
        /** No call is carried out. Reads fail, and writes have an unknown outcome. */
        AWAY,
        /** No call is carried out, because this process lacks a right. */
        REFUSED,
        /** Reads are carried out. No write is carried out, because this process lacks a right. */
        WRITES_REFUSED,
        /** Writes are carried out, but their outcome is unknown. Reads fail. */
        ANSWERS_LOST,
        /**
         * The record is unreadable. Reads fail, {@link #readAll} omits the record, and writes have an unknown outcome.
         */
        UNREADABLE,
        /** Calls throw an exception that no store should throw. */
        BROKEN,
        /**
         * Calls throw an Error, as client libraries do if the process lacks memory or threads. The Error is a
         * {@link StackOverflowError}, because JUnit continues with the next test after this type of Error.
         */
        FATAL,
        /**
         * Calls block until another fault is set, and then behave according to that fault. An interrupted call fails at
         * once, as with {@link #AWAY}.
         */
        HANGING
    }

    private final List<LeaseRecord> written = Collections.synchronizedList(new ArrayList<>());
    private final Object hanging = new Object();
    private final Map<String, Fault> faultsOfOne = new ConcurrentHashMap<>();
    private volatile Fault fault = Fault.NONE;

    public FaultyLeaseStore() {
        this(new MemoryLeaseStore());
    }

    /**
     * Creates a store that forwards to {@code behind}. Several such stores simulate processes with separate networks.
     */
    public FaultyLeaseStore(LeaseStore behind) {
        super(behind);
    }

    /**
     * Sets the fault of all later calls.
     *
     * <p>If {@link #fault(String, Fault)} has set a fault for an election, calls for that election have that fault.
     */
    public void fault(Fault from) {
        synchronized (hanging) {
            fault = from;
            hanging.notifyAll();
        }
    }

    /**
     * Sets the fault of all later calls for this election. The fault of calls for other elections does not change.
     *
     * <p>After {@code NONE}, the fault of {@link #fault(Fault)} applies to this election again.
     */
    public void fault(String election, Fault from) {
        synchronized (hanging) {
            faultsOfOne.put(election, from);
            hanging.notifyAll();
        }
    }

    boolean isFaulty() {
        return fault != Fault.NONE;
    }

    /** Returns every record that was stored through this object so far, oldest first. */
    public List<LeaseRecord> written() {
        synchronized (written) {
            return List.copyOf(written);
        }
    }

    @Override
    public VersionedLease read(String election) {
        return switch (faultAfterHanging(election)) {
            case NONE, WRITES_REFUSED -> behind().read(election);
            case REFUSED -> throw new StoreRefusedException("set to reject a read", "set another fault", null);
            case AWAY, ANSWERS_LOST, HANGING -> throw new StoreUnavailableException("set to be away");
            case UNREADABLE -> throw new UnreadableRecordException("set to be unreadable");
            case BROKEN -> throw new IllegalStateException("set to be broken");
            case FATAL -> throw new StackOverflowError("set to be fatal");
        };
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        return switch (faultAfterHanging(election)) {
            case NONE -> carryOut(election, expected, next);
            case AWAY, HANGING -> new CasOutcome.Unknown("set to be away");
            case REFUSED, WRITES_REFUSED ->
                CasOutcome.Unknown.of(new StoreRefusedException("set to reject a write", "set another fault", null));
            case UNREADABLE -> new CasOutcome.Unknown("set to be unreadable");
            case ANSWERS_LOST -> {
                carryOut(election, expected, next);
                yield new CasOutcome.Unknown("set to lose answers");
            }
            case BROKEN -> throw new IllegalStateException("set to be broken");
            case FATAL -> throw new StackOverflowError("set to be fatal");
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
