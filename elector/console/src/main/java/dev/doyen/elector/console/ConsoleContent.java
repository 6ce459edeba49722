package dev.doyen.elector.console;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The content of a console.
 *
 * @param <V> the type that describes a viewer; different viewers can receive different content
 */
@FunctionalInterface
public interface ConsoleContent<V> {

    /**
     * Schedules a call of {@code observer} on the thread that owns the content.
     *
     * <p>The argument of {@code observer} is a function that builds the JSON for a viewer. The function may be used
     * only during the call. Threads: any.
     */
    void look(Consumer<Function<V, String>> observer);
}
