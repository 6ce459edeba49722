package dev.doyen.testkit;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.MemoryLeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A store that fails as told, and remembers every record that was written through it. In memory, unless told where. */
public final class FaultyLeaseStore extends ForwardingLeaseStore {

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

    private final List<LeaseRecord> written = Collections.synchronizedList(new ArrayList<>());
    private final Object hanging = new Object();
    private volatile Fault fault = Fault.NONE;

    public FaultyLeaseStore() {
        this(new MemoryLeaseStore());
    }

    /** In front of {@code behind}: several in front of one are several processes, each with a network of its own. */
    public FaultyLeaseStore(LeaseStore behind) {
        super(behind);
    }

    /** What becomes of calls from now on. */
    public void fault(Fault from) {
        synchronized (hanging) {
            fault = from;
            hanging.notifyAll();
        }
    }

    boolean isFaulty() {
        return fault != Fault.NONE;
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
            case NONE -> behind().read(election);
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
        CasOutcome outcome = behind().compareAndSet(election, expected, next);
        if (outcome instanceof CasOutcome.Written) {
            written.add(next);
        }
        return outcome;
    }
}
