package dev.doyen;

/**
 * Runs any number of elections of one process in one store, with a single renewal.
 *
 * <p>The process renews one session for all of them. It writes an election's own record only when something changes
 * (rule L12). For one or two elections use {@link Election#lease}. Candidates of both kinds may compete in the same
 * election.
 *
 * <p>If this process loses its session, it loses every leadership at once. After a crash, the first takeover needs one
 * additional write, which fences the session.
 *
 * <p>An election does not expire while the process renews its session. So if the work of one election does not stop
 * after its term has ended, the process releases that election one ttl later and goes on leading the others (rule
 * L12.6). The ended term is not revived, and only its fencing token protects the resources that the work still writes
 * to.
 *
 * <p>A process takes a record {@code ~session/N} of the same store for its session when it starts. While it looks for
 * one, it also fences each session record that has been silent for the record's ttl. That frees the elections of
 * processes that ended without releasing them.
 *
 * <p>Threads: any.
 */
public interface Elections extends AutoCloseable {

    /**
     * Prepares elections by lease that share one session.
     *
     * <p>All elections have the same store, ttl and other settings. This method starts nothing.
     * {@link ElectionsBuilder#open} starts the threads and looks for a session record.
     */
    static ElectionsBuilder lease() {
        return new ElectionsBuilder();
    }

    /**
     * Returns the election of this name, always the same object until that election is closed.
     *
     * @param name the election; the same in every process. 1 to 255 characters, no control characters, not beginning
     *     with {@code ~}
     * @throws IllegalArgumentException if the name breaks these rules
     * @throws IllegalStateException if the elections are closed
     */
    Election named(String name);

    /**
     * Closes every election, then releases the session.
     *
     * <p>Waits for all work together, at most for the renewal deadline and one request timeout. Then waits for the
     * release of the session, at most for the renewal deadline. A session that could not be released expires, and
     * another process fences it.
     */
    @Override
    void close();
}
