package dev.doyen.cli;

import dev.doyen.elector.audit.AuditFile;
import dev.doyen.elector.audit.AuditLog;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of the audit log, which {@code doyen hub}, {@code doyen elector} and {@code doyen ring} share. */
final class AuditLogOption {

    private static final String STANDARD_OUTPUT = "-";

    @Option(
            names = "--audit-log",
            paramLabel = "FILE",
            description = "Appends admin commands and rejected requests of clients to this file, as lines of JSON. The"
                    + " value - is standard output. Default: no audit log")
    private @Nullable String file;

    /**
     * Opens the log. The caller closes the result, or passes it to a server that closes it.
     *
     * @throws IllegalArgumentException if the file cannot be opened; the message is for the user
     */
    AuditLog open() {
        if (file == null) {
            return AuditLog.NONE;
        }
        if (file.equals(STANDARD_OUTPUT)) {
            return AuditFile.to(System.out);
        }
        try {
            return AuditFile.appendTo(Path.of(file));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--audit-log " + file + " cannot be opened: " + e
                            + "; choose a file that this user may write, in an existing directory",
                    e);
        }
    }
}
