package dev.doyen.chaos.random;

import java.util.logging.LogManager;

/**
 * A log manager that keeps its handlers when the JVM shuts down.
 *
 * <p>So the log also contains the events after SIGTERM.
 */
public final class LastingLogManager extends LogManager {

    @Override
    public void reset() {
        // The inherited method would close the handlers as soon as the shutdown begins.
    }
}
