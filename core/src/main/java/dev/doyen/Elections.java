package dev.doyen;

/**
 * Any number of elections of one process in one store, at the cost of one: a single session is renewed for all of them,
 * and their own records are written only when something changes (rule L12).
 *
 * <p>The price: if this process loses its session, it loses every leadership at once; and taking over from a process
 * that crashed takes one write more. For one or two elections use {@link Election#lease}. Both kinds of candidates may
 * contest the same election.
 *
 * <p>Threads: any.
 */
public interface Elections extends AutoCloseable {

    static ElectionsBuilder lease() {
        return new ElectionsBuilder();
    }

    /**
     * The election of this name, always the same object until that is closed.
     *
     * @param name what is contested; the same in every process. 1 to 255 characters, no control characters, not
     *     beginning with {@code ~}
     */
    Election named(String name);

    /** Closes every election, then gives the session back. */
    @Override
    void close();
}
