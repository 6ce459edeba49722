package dev.doyen.server.cli;

import dev.doyen.store.ElectionNames;
import picocli.CommandLine.Option;

/** Why something is asked for. */
final class ReasonOption {

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for those who read it later; 255 characters.")
    private String reason = "";

    /** Empty if none was given. Throws IllegalArgumentException if it cannot be kept. */
    String text() {
        return ElectionNames.checkRemark("--reason", reason);
    }
}
