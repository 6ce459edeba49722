package dev.doyen.log;

import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Lets loops continue after a fault, and logs each kind of fault once.
 *
 * <p>Two faults are of the same kind if the same part failed with the same exception class and message. The log
 * remembers at most {@value #MAX_KINDS} kinds, and does not log faults of further kinds.
 *
 * <p>Threads: any. No method throws.
 */
public final class FaultLog {

    /** The maximum number of kinds of faults that the log remembers. */
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
     * Runs one part of a loop, and catches any exception or error. Logs the first fault of each kind.
     *
     * @param what the name of the part, without details that differ between calls
     * @return false if the part threw
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

    /** Runs each part, even if earlier parts throw. */
    public void runAll(String what, Collection<Runnable> parts) {
        parts.forEach(part -> survives(what, part));
    }

    /** Logs a fault with its stack trace, unless this kind was logged already. */
    public void report(String what, Throwable thrown) {
        try {
            if (isNew(what, thrown)) {
                log.log(
                        Level.ERROR,
                        what + " failed; the program continues. Further faults of this kind are not logged",
                        thrown);
            }
        } catch (Throwable logFailed) {
            // The log call can fail, because an appender can throw, or the memory can be exhausted. The loop must
            // continue.
        }
    }

    /** Returns true if this kind of fault is new, and remembers the kind. */
    public boolean isNew(String what, Throwable thrown) {
        String kind = what + "\n" + thrown;
        synchronized (kinds) {
            return kinds.size() < MAX_KINDS && kinds.add(kind);
        }
    }

    /** Forgets the faults of this part, because the part works again. So the next fault of the part is logged again. */
    public void works(String what) {
        synchronized (kinds) {
            if (!kinds.isEmpty()) {
                kinds.removeIf(kind -> kind.startsWith(what + "\n"));
            }
        }
    }
}
