package dev.doyen;

/**
 * Any number of elections of one process in one store, at the cost of one. The process renews a single session for all of
 * them. It writes an election's own record only when something changes (rule L12).
 *
 * <p>The price: if this process loses its session, it loses every leadership at once. After a crash, the first takeover
 * takes one write more, which fences the session. For one or two elections use {@link Election#lease}. Candidates of both
 * kinds may contest the same election.
 *
 * <p>An election does not expire while the process renews its session. So if the work of one election does not stop after
 * its term has ended, the process releases that election one ttl later, and goes on leading the others (rule L12.6). The
 * term that ended stays over: only its fencing token protects what the work still writes to.
 *
 * <p>The session is kept in a record {@code ~session/N} of the same store, which a process takes when it starts. A process
 * that looks for a record frees those of processes that ended without releasing theirs, after the ttl of the record.
 *
 * <p>Threads: any.
 */
public interface Elections extends AutoCloseable {

    /**
     * Prepares elections by lease that share one session. Costs nothing until {@link ElectionsBuilder#open}, which starts the
     * threads and looks for a session record. All elections have the same store, ttl and other settings.
     */
    static ElectionsBuilder lease() {
        return new ElectionsBuilder();
    }

    /**
     * Returns the election of this name, always the same object until that election is closed.
     *
     * @param name what is contested; the same in every process. 1 to 255 characters, no control characters, not
     *     beginning with {@code ~}
     * @throws IllegalArgumentException if the name breaks these rules
     * @throws IllegalStateException if the elections are closed
     */
    Election named(String name);

    /**
     * Closes every election, then releases the session. Waits for all work together, for the renewal deadline and one
     * request timeout at most, and then for the session's release, for the renewal deadline at most. A session that could not
     * be released expires, and another process fences it.
     */
    @Override
    void close();
}
