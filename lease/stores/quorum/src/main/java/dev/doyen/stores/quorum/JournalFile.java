package dev.doyen.stores.quorum;

import java.io.IOException;
import java.util.List;

/**
 * An append-only file of records.
 *
 * <p>An appended record is durable after the next {@link #force}. After an {@link IOException}, the state of the
 * records that were not durable is unknown, so the file is not used again. Threads: one.
 */
interface JournalFile extends AutoCloseable {

    /**
     * Returns the durable records, and those later records that survived, in their order. Must be called before the
     * first {@link #append}.
     */
    List<byte[]> records();

    void append(byte[] record) throws IOException;

    /** Makes all appended records durable. */
    void force() throws IOException;

    /** Replaces all records. After a crash the file contains either the old records or the new ones. */
    void replace(List<byte[]> records) throws IOException;

    /** Returns the length of the file, in bytes. */
    long length();

    @Override
    void close() throws IOException;
}
