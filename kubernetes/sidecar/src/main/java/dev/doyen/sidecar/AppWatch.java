package dev.doyen.sidecar;

import java.util.Set;

/**
 * Tracks whether the app lives, by its processes in a shared process namespace. Immutable.
 *
 * <p>If all processes that were once seen are gone, no part of the app leads any more, so the lease may be released at
 * once (rule L11). An app that was never seen has not started yet, which proves nothing.
 *
 * @param known the app's processes at the last check
 */
public record AppWatch(AppSign sign, Set<AppProcess> known) {

    public AppWatch {
        known = Set.copyOf(known);
    }

    /** The initial state: no process was seen. */
    public static final AppWatch BEGIN = new AppWatch(AppSign.UNKNOWN, Set.of());

    /** Applies a check: these processes of the app live now. A reused pid counts as another process. */
    public AppWatch looked(Set<AppProcess> living) {
        if (!living.isEmpty()) {
            return sign == AppSign.LIVES && living.equals(known) ? this : new AppWatch(AppSign.LIVES, living);
        }
        return sign == AppSign.LIVES ? new AppWatch(AppSign.GONE, Set.of()) : this;
    }

    /**
     * A process of the app.
     *
     * @param started its start time in the kernel's unit; pid and start time together are unique
     */
    public record AppProcess(long pid, long started) {}
}
