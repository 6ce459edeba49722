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
    private @Nullable String auditLog;

    /**
     * Opens the log. The caller closes the result, or passes it to a server that closes it.
     *
     * @throws IllegalArgumentException if the file cannot be opened; the message is for the user
     */
    AuditLog open() {
        if (auditLog == null) {
            return AuditLog.NONE;
        }
        if (auditLog.equals(STANDARD_OUTPUT)) {
            return AuditFile.to(System.out);
        }
        try {
            return AuditFile.appendTo(Path.of(auditLog));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--audit-log " + auditLog + " cannot be opened: " + e
                            + "; choose a file that this user may write, in an existing directory",
                    e);
        }
    }
}
