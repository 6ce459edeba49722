package dev.doyen.spring;

import dev.doyen.LeaseLeadership;
import dev.doyen.election.Leadership;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The leadership under which the current thread works.
 *
 * <p>It is set during a {@link LeaderOnly} or {@link OnElected} method, also in methods that it calls. Other threads do
 * not inherit it; pass them the {@link Leadership}.
 */
public final class CurrentLeadership {

    private static final ThreadLocal<Leadership> CURRENT = new ThreadLocal<>();

    private CurrentLeadership() {}

    /** Returns the innermost leadership, if this thread works under one. */
    public static Optional<Leadership> find() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * Returns the innermost leadership.
     *
     * @throws IllegalStateException if this thread does not work under a leadership
     */
    public static Leadership get() {
        Leadership current = CURRENT.get();
        if (current == null) {
            throw new IllegalStateException(
                    "this thread does not work under a leadership; ask from within a method with"
                            + " @LeaderOnly or @OnElected, on the thread that called it");
        }
        return current;
    }

    /**
     * Returns the fencing token, as {@link LeaseLeadership#term}. Throws as {@link #lease}.
     */
    public static long term() {
        return lease().term();
    }

    /**
     * Returns the innermost leadership of an election by lease, which has a fencing token and a saved state.
     *
     * @throws IllegalStateException if this thread does not work under a leadership, or if its election is on a ring or
     *     is an elector's
     */
    public static LeaseLeadership lease() {
        Leadership current = get();
        if (current instanceof LeaseLeadership lease) {
            return lease;
        }
        throw new IllegalStateException(current + " has no fencing token, because its election is not by lease; use"
                + " CurrentLeadership.get(), or elect by lease with doyen.store");
    }

    /** Calls {@link Leadership#isCertain}. Throws as {@link #get}. */
    public static boolean isCertain() {
        return get().isCertain();
    }

    /** Sets the current leadership and returns the previous one, for {@link #restore}. */
    static @Nullable Leadership enter(Leadership leadership) {
        Leadership before = CURRENT.get();
        CURRENT.set(leadership);
        return before;
    }

    static void restore(@Nullable Leadership before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }
}
