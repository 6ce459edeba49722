package dev.doyen.stores.quorum;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Switches off the log of MicroRaft. The library logs a line for each vote. These lines would take most of the time
 * of a simulation.
 */
final class LibraryLog {

    /**
     * The strong reference is necessary, because the JDK can collect an unreferenced logger, and its level is then
     * lost.
     */
    private static final Logger LIBRARY = Logger.getLogger("io.microraft");

    private LibraryLog() {}

    static void off() {
        LIBRARY.setLevel(Level.OFF);
    }
}
