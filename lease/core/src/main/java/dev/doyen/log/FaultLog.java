package dev.doyen.log;

import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Lets loops continue after a fault, and logs each kind of fault once.
 *
 * <p>A kind consists of the part that failed and of the fault's class and message. The log remembers at most
 * {@value #MAX_KINDS} kinds, and does not log faults of further kinds.
 *
 * <p>Threads: any. No method throws.
 */
public final class FaultLog {

    /** Maximum number of kinds that are remembered. */
    public static final int MAX_KINDS = 1_000;

    private final System.Logger log;
    private final Set<String> kinds = new HashSet<>();

    public FaultLog(System.Logger log) {
        this.log = log;
    }

    /** Returns the innermost cause of an exception, or the exception itself if it has no cause. */
    public static Throwable rootCause(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /**
     * Runs one part of a loop, and logs what it throws.
     *
     * @param what the part, without details that differ between calls
     * @return false if it threw
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

    /** Runs each part, even if parts before it throw. */
    public void runAll(String what, Collection<Runnable> parts) {
        parts.forEach(part -> survives(what, part));
    }

    /** Logs a fault with its stack trace, unless this kind was logged already. */
    public void report(String what, Throwable thrown) {
        try {
            if (isNew(what, thrown)) {
                log.log(Level.ERROR, what + " failed; going on. Further faults of this kind are not logged", thrown);
            }
        } catch (Throwable logFailed) {
            // An appender is foreign code, and memory may be short. The loop must continue.
        }
    }

    /** Returns whether this kind is new, and remembers it. */
    public boolean isNew(String what, Throwable thrown) {
        String kind = what + "\n" + thrown;
        synchronized (kinds) {
            return kinds.size() < MAX_KINDS && kinds.add(kind);
        }
    }

    /** Records that the part works again, so that its next fault is logged. */
    public void works(String what) {
        synchronized (kinds) {
            if (!kinds.isEmpty()) {
                kinds.removeIf(kind -> kind.startsWith(what + "\n"));
            }
        }
    }
}
