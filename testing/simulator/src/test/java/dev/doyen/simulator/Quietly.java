package dev.doyen.simulator;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Turns the driver's log off, because thousands of simulated candidates would log their faults. */
final class Quietly implements BeforeAllCallback {

    /**
     * The logger of Doyen. This constant references the logger, because the JDK forgets the level of a logger without
     * a reference.
     */
    private static final Logger DOYEN = Logger.getLogger("dev.doyen");

    @Override
    public void beforeAll(ExtensionContext context) {
        turnLogOff();
    }

    static void turnLogOff() {
        DOYEN.setLevel(Level.OFF);
    }
}
