package dev.doyen.chaos.random;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads a ledger while its process appends to it. Threads: one. */
final class LedgerReader implements AutoCloseable {

    private final RandomAccessFile file;
    private String rest = "";

    LedgerReader(Path file) throws IOException {
        this.file = new RandomAccessFile(file.toFile(), "r");
    }

    /** Passes to the consumer each complete line that the process has appended since the last read. */
    void read(Consumer<LedgerLine> to) throws IOException {
        byte[] fresh = new byte[(int) Math.min(Integer.MAX_VALUE / 2, file.length() - file.getFilePointer())];
        file.readFully(fresh);
        String text = rest + new String(fresh, StandardCharsets.US_ASCII);
        int from = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
            LedgerLine.of(text.substring(from, end)).ifPresent(to);
            from = end + 1;
        }
        rest = text.substring(from);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
