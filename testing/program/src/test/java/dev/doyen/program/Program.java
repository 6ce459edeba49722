package dev.doyen.program;

import java.util.Locale;

/** A kind of program that publishes metrics. */
enum Program {
    JAVA("Java"),
    SIDECAR,
    RING,
    HUB;

    private final String onPage;

    Program(String onPage) {
        this.onPage = onPage;
    }

    Program() {
        this.onPage = name().toLowerCase(Locale.ROOT);
    }

    /** Returns the name of the program in the tables of docs/reference/metrics.md. */
    String onPage() {
        return onPage;
    }

    /** Returns true if a missing leader is not a fault while no page is open. */
    boolean isHub() {
        return this == HUB;
    }
}
