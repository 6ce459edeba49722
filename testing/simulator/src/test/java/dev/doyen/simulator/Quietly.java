package dev.doyen.simulator;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Turns the driver's log off, because thousands of simulated candidates would log their faults. */
final class Quietly implements BeforeAllCallback {

    /** A constant, because the JDK forgets the level of a logger that nothing references. */
    private static final Logger DOYEN = Logger.getLogger("dev.doyen");

    @Override
    public void beforeAll(ExtensionContext context) {
        DOYEN.setLevel(Level.OFF);
    }
}
