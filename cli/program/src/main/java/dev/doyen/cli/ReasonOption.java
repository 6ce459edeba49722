package dev.doyen.cli;

import dev.doyen.text.ElectionNames;
import picocli.CommandLine.Option;

/** The option that states the reason of an admin command. */
final class ReasonOption {

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "The reason, at most 255 characters. The log and doyen history show it.")
    private String reason = "";

    /**
     * Returns the reason, or an empty string if none was given.
     *
     * @throws IllegalArgumentException if the record cannot store the text
     */
    String text() {
        return ElectionNames.checkRemark("--reason", reason);
    }
}
