package dev.doyen.simulator;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Turns the driver's log off: simulated candidates by the thousand would tell what befalls them. */
final class Quietly implements BeforeAllCallback {

    /** Held, because the JDK forgets the level of a logger that nobody holds. */
    private static final Logger DOYEN = Logger.getLogger("dev.doyen");

    @Override
    public void beforeAll(ExtensionContext context) {
        DOYEN.setLevel(Level.OFF);
    }
}
