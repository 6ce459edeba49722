package dev.doyen.chaos.random;

import java.util.logging.LogManager;

/**
 * Keeps its handlers when the JVM shuts down.
 *
 * <p>So the log also contains what happens after SIGTERM.
 */
public final class LastingLogManager extends LogManager {

    @Override
    public void reset() {
        // The default closes the handlers as soon as the shutdown begins.
    }
}
