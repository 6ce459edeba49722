package dev.doyen.stores.quorum;

import java.io.IOException;
import java.util.List;

/**
 * An append-only file of records.
 *
 * <p>An appended record is durable after the next {@link #force}. After an {@link IOException} it is unknown which of
 * the records that were appended since the last {@link #force} are in the file. So the caller must not use the file
 * again. Threads: one.
 */
interface JournalFile extends AutoCloseable {

    /**
     * Returns the durable records, and those later records that survived a crash, in their order. The caller must call
     * this method before the first {@link #append}.
     */
    List<byte[]> records();

    void append(byte[] record) throws IOException;

    /** Makes all appended records durable. */
    void force() throws IOException;

    /** Replaces all records. After a crash the file contains either all old records or all new records. */
    void replace(List<byte[]> records) throws IOException;

    /** Returns the length of the file, in bytes. */
    long length();

    @Override
    void close() throws IOException;
}
