package dev.doyen.stores.quorum;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Switches off the log of MicroRaft. It has a line for each vote, which would take most of a simulation's time. */
final class LibraryLog {

    /** A strong reference, because the JDK may collect an unreferenced logger and forget its level. */
    private static final Logger LIBRARY = Logger.getLogger("io.microraft");

    private LibraryLog() {}

    static void off() {
        LIBRARY.setLevel(Level.OFF);
    }
}
