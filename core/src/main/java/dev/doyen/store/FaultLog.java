package dev.doyen.store;

import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Lets loops go on after a fault, and logs each kind of fault once. A kind is the part that failed, and the fault's
 * class and message. At most {@value #MAX_KINDS} kinds are remembered; faults of further kinds are not logged.
 *
 * <p>Threads: any. No method throws.
 */
public final class FaultLog {

    /** Kinds that are remembered. */
    public static final int MAX_KINDS = 1_000;

    private final System.Logger log;
    private final Set<String> kinds = new HashSet<>();

    public FaultLog(System.Logger log) {
        this.log = log;
    }

    /**
     * Runs one part of a loop.
     *
     * @param what the part, without details that differ from time to time
     * @return whether it threw nothing
     */
    public boolean survives(String what, Runnable part) {
        try {
            part.run();
            return true;
        } catch (Throwable e) {
            report(what, e);
            return false;
        }
    }

    /** Runs each of these, whatever the ones before it throw. */
    public void runAll(String what, Collection<Runnable> parts) {
        parts.forEach(part -> survives(what, part));
    }

    /** Logs a fault with its stack, unless this kind has been logged. */
    public void report(String what, Throwable thrown) {
        try {
            if (isNew(what, thrown)) {
                log.log(Level.ERROR, what + " failed; going on. Further faults of this kind are not logged", thrown);
            }
        } catch (Throwable logFailed) {
            // An appender is foreign code, and memory may be short. The next turn matters more.
        }
    }

    /** Returns whether this kind has not been met, and remembers it. */
    public boolean isNew(String what, Throwable thrown) {
        String kind = what + "\n" + thrown;
        synchronized (kinds) {
            return kinds.size() < MAX_KINDS && kinds.add(kind);
        }
    }

    /** The part works again: its next fault is logged. */
    public void works(String what) {
        synchronized (kinds) {
            if (!kinds.isEmpty()) {
                kinds.removeIf(kind -> kind.startsWith(what + "\n"));
            }
        }
    }
}
