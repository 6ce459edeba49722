package dev.doyen.server.sidecar;

import java.util.Set;

/**
 * Whether the app lives, by the processes that are its own in a process namespace that is shared with it. Immutable.
 *
 * <p>That all processes once seen are gone proves that nothing of the app leads any more: the lease may be given back at
 * once (rule L11). An app that was never seen has not started yet, and proves nothing.
 *
 * @param known the app's processes as of the last look
 */
public record AppWatch(AppSign sign, Set<AppProcess> known) {

    public AppWatch {
        known = Set.copyOf(known);
    }

    /** Nothing has been seen yet. */
    public static final AppWatch BEGIN = new AppWatch(AppSign.UNKNOWN, Set.of());

    /** These processes of the app live now. One that took the number of another is another. */
    public AppWatch looked(Set<AppProcess> living) {
        if (!living.isEmpty()) {
            return sign == AppSign.LIVES && living.equals(known) ? this : new AppWatch(AppSign.LIVES, living);
        }
        return sign == AppSign.LIVES ? new AppWatch(AppSign.GONE, Set.of()) : this;
    }

    /**
     * A process of the app.
     *
     * @param started when it was started, in the kernel's own count: with the number it is never used twice
     */
    public record AppProcess(long pid, long started) {}
}
