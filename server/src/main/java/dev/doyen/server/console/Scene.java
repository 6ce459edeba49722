package dev.doyen.server.console;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a console shows.
 *
 * @param <V> what is known of who looks
 */
@FunctionalInterface
public interface Scene<V> {

    /**
     * Calls the onlooker soon, on the one thread to which belongs what is shown. It is lent what makes the JSON for who
     * looks, and may use it until it returns. Threads: any.
     */
    void look(Consumer<Function<V, String>> onlooker);
}
