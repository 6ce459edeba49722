package dev.doyen.stores.quorum;

import java.io.IOException;

/**
 * One directory on a disk, with the operations that {@link CheckedFile} needs. Tests simulate a power loss between any
 * two calls.
 *
 * <p>Bytes of a file are durable only after {@link Output#force}. A file's name is durable only after {@link #force}.
 */
interface Disk {

    byte[] read(String name) throws IOException;

    /** Creates a file, and replaces an existing file of this name. */
    Output create(String name) throws IOException;

    /** Renames a file atomically, and replaces an existing file of the new name. */
    void rename(String from, String to) throws IOException;

    /** Makes the names of all files durable. */
    void force() throws IOException;

    /** Returns the location of the file, for messages. */
    String where(String name);

    /** A file to which bytes are appended. */
    interface Output extends AutoCloseable {

        void write(byte[] bytes) throws IOException;

        /** Makes all written bytes durable. */
        void force() throws IOException;

        @Override
        void close() throws IOException;
    }
}
