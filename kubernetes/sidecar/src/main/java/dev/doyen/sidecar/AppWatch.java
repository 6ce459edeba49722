package dev.doyen.sidecar;

import java.util.Set;

/**
 * Tracks whether the app runs, by its processes in a shared process namespace. Immutable.
 *
 * <p>If all found processes have ended, no part of the app works as the leader. So the sidecar may release the lease at
 * once (rule L11). If no process was ever found, the app is perhaps still starting. So this observation does not prove
 * that the app has ended.
 *
 * @param known the app's processes at the last check
 */
public record AppWatch(AppSign sign, Set<AppProcess> known) {

    public AppWatch {
        known = Set.copyOf(known);
    }

    /** The initial state, in which no process has been found. */
    public static final AppWatch BEGIN = new AppWatch(AppSign.UNKNOWN, Set.of());

    /**
     * Returns the state after a check that found these running processes of the app. A process with a reused pid counts
     * as a different process.
     */
    public AppWatch observed(Set<AppProcess> running) {
        if (!running.isEmpty()) {
            return sign == AppSign.RUNNING && running.equals(known) ? this : new AppWatch(AppSign.RUNNING, running);
        }
        return sign == AppSign.RUNNING ? new AppWatch(AppSign.ENDED, Set.of()) : this;
    }

    /**
     * A process of the app.
     *
     * @param started the start time of the process in the unit of the kernel; pid and start time together are unique
     */
    public record AppProcess(long pid, long started) {}
}
