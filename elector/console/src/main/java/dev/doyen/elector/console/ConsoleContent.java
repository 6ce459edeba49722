package dev.doyen.elector.console;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The content of a console.
 *
 * @param <V> what is known about a viewer
 */
@FunctionalInterface
public interface ConsoleContent<V> {

    /**
     * Calls {@code observer} soon, on the thread that owns the content.
     *
     * <p>The argument is a function that builds the JSON for a viewer. It is valid only during the call. Threads: any.
     */
    void look(Consumer<Function<V, String>> observer);
}
