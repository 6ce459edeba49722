package dev.doyen.examples.sftp;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a file as UTF-8 lines, starting at a given byte. Threads: one at a time. */
final class RowReader implements AutoCloseable {

    /** The maximum length of a row. The limit prevents a file without line ends from filling the memory. */
    static final int MAX_ROW_BYTES = 64 * 1024;

    /** The block size that every SFTP server supports. */
    static final int BLOCK_BYTES = 32 * 1024;

    private final Blocks blocks;
    private final Closeable file;
    private final byte[] block = new byte[BLOCK_BYTES];
    private int read;
    private int length;
    private long offset;

    RowReader(Blocks blocks, Closeable file, long offset) {
        this.blocks = blocks;
        this.file = file;
        this.offset = offset;
    }

    /** Returns the start of the next row, in bytes from the start of the file. */
    long offset() {
        return offset;
    }

    /** Returns the next row without its line end; null at the end of the file. */
    @Nullable
    String next() throws IOException {
        var row = new ByteArrayOutputStream();
        long begin = offset;
        while (true) {
            if (read == length) {
                length = blocks.read(offset, block);
                read = 0;
                if (length <= 0) {
                    length = 0;
                    return offset == begin ? null : text(row);
                }
            }
            byte each = block[read++];
            offset++;
            if (each == '\n') {
                return text(row);
            }
            if (row.size() == MAX_ROW_BYTES) {
                throw new IOException("the row at byte " + begin + " is longer than " + MAX_ROW_BYTES
                        + " bytes; is this a file of lines?");
            }
            row.write(each);
        }
    }

    private static String text(ByteArrayOutputStream row) {
        String text = row.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** A file with random access. */
    interface Blocks {
        /**
         * Reads a block, and returns its length in bytes.
         *
         * <p>The result is 0 or negative at the end of the file.
         */
        int read(long offset, byte[] buffer) throws IOException;
    }
}
