package dev.doyen.stores.quorum;

import java.util.logging.Level;
import java.util.logging.Logger;

/** The log of MicroRaft, which has a line for each vote. In a simulation these lines take most of the time. */
final class LibraryLog {

    /** Held, because the JDK forgets the level of a logger that nobody holds. */
    private static final Logger LIBRARY = Logger.getLogger("io.microraft");

    private LibraryLog() {}

    static void off() {
        LIBRARY.setLevel(Level.OFF);
    }
}
