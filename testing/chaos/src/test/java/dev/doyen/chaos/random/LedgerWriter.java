package dev.doyen.chaos.random;

import dev.doyen.chaos.random.LedgerLine.What;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Appends to the ledger of one process. Threads: any.
 *
 * <p>The writer has no buffer: it writes each line to the file at once, in one call. So SIGKILL loses no written line.
 */
final class LedgerWriter {

    private final FileOutputStream file;

    LedgerWriter(Path path) throws IOException {
        file = new FileOutputStream(path.toFile(), true);
    }

    /** Appends a line with the current stamp. */
    void note(What what, String election, long term, long value) {
        note(new LedgerLine(what, System.nanoTime(), election, term, value));
    }

    synchronized void note(LedgerLine line) {
        try {
            file.write(line.text().getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
