package dev.doyen.stores.quorum;

import java.io.IOException;
import java.util.List;

/**
 * A file of records that grows at its end. A record that was appended is durable after the next {@link #force}. After
 * an {@link IOException} nothing is known of the records that were not durable before, so the file is not used again.
 * Threads: one.
 */
interface JournalFile extends AutoCloseable {

    /**
     * Returns the durable records, and those of the records after them that survived, in their order. Called before
     * the first {@link #append}.
     */
    List<byte[]> records();

    void append(byte[] record) throws IOException;

    /** Returns when all records are durable. */
    void force() throws IOException;

    /** Replaces all records by these. After a crash the file has either the old ones or the new ones. */
    void replace(List<byte[]> records) throws IOException;

    /** Returns the length of the file in bytes. */
    long length();

    @Override
    void close() throws IOException;
}
