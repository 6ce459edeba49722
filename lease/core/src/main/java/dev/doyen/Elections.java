package dev.doyen;

/**
 * Runs any number of elections of one process in one store, under one shared session.
 *
 * <p>A session is a lease of the whole process. The process renews this one lease for all its elections. It writes
 * the record of an election only if something in that record changes (rule L12). For one or two elections use
 * {@link Election#lease}. A candidate of {@code Elections} and a candidate of {@link Election#lease} may compete in
 * the same election.
 *
 * <p>If this process loses its session, it loses every leadership at once. If the process crashes, it no longer renews
 * its session. Another process then <i>fences</i> the session: it raises the term of the session record and removes the
 * holder. This one write frees all elections of the crashed process.
 *
 * <p>The lease of an election does not expire while the process renews its session. If the work of an ended term does
 * not stop, the process releases the lease of this election one ttl after the end of the term, and continues to lead
 * the other elections (rule L12.6). From then on, only the fencing token protects the resources that the old work
 * still writes to.
 *
 * <p>When a process starts, it searches the same store for a free session record ({@code ~session/1}, {@code
 * ~session/2} and so on), and uses this record for its session. The process later reads the held session records again,
 * and fences each record that nobody has renewed for its ttl.
 *
 * <p>Threads: any.
 */
public interface Elections extends AutoCloseable {

    /**
     * Prepares elections by lease that share one session.
     *
     * <p>All elections have the same store, ttl and other settings. This method opens no election.
     * {@link ElectionsBuilder#open} starts the threads and searches for a session record.
     */
    static ElectionsBuilder lease() {
        return new ElectionsBuilder();
    }

    /**
     * Returns the election with this name. Until this election is closed, each call returns the same object.
     *
     * @param name the name of the election, which is the same in every process; 1 to 255 characters, no control
     *     characters, not beginning with {@code ~}
     * @throws IllegalArgumentException if the name does not have this form
     * @throws IllegalStateException if the elections are closed
     */
    Election named(String name);

    /**
     * Closes every election, then releases the session.
     *
     * <p>A shutdown hook calls this method, unless {@link LeaseSettings#closeOnShutdown} is false. A second call also
     * waits until the session is released.
     *
     * <p>First the method waits until the work of all elections has stopped. This wait is at most the renewal deadline
     * plus one request timeout, for all elections together. Then the method waits until the session is released, at
     * most for the renewal deadline. If the session cannot be released, it expires, and another process fences it.
     *
     * <p>The store and the threads are closed after that, unless they belong to the caller. If work still runs then,
     * they are closed after this work has stopped and the session has been released. The same applies if the task or a
     * callback of a candidate calls this method.
     */
    @Override
    void close();
}
