package dev.doyen.spring;

import dev.doyen.Leadership;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The leadership under which this thread works: in a {@link LeaderOnly} or {@link OnElected} method and in what that calls. Not
 * handed on to other threads; give them the {@link Leadership}.
 */
public final class CurrentLeadership {

    private static final ThreadLocal<Leadership> CURRENT = new ThreadLocal<>();

    private CurrentLeadership() {}

    /** The innermost one, if this thread works under any. */
    public static Optional<Leadership> find() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * The innermost one.
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

    /** The fencing token, as {@link Leadership#term}. Throws as {@link #get}. */
    public static long term() {
        return get().term();
    }

    /** As {@link Leadership#isCertain}. Throws as {@link #get}. */
    public static boolean isCertain() {
        return get().isCertain();
    }

    /** Returns what was current before, for {@link #restore}. */
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
