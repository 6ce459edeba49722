package dev.doyen.stores.quorum;

import java.io.IOException;

/**
 * One directory of a disk, with what {@link CheckedFile} needs of it. A test takes its power away between any two
 * calls.
 *
 * <p>Nothing is durable before it was forced: the bytes of a file by {@link Output#force}, and its name by {@link
 * #force}.
 */
interface Disk {

    byte[] read(String name) throws IOException;

    /** Returns a new file. It takes the place of a file of this name. */
    Output create(String name) throws IOException;

    /** Gives the file another name, and takes the place of the file that had it. Others see it happen at once. */
    void rename(String from, String to) throws IOException;

    /** Returns when the names of all files are durable. */
    void force() throws IOException;

    /** Where the file is, for messages. */
    String where(String name);

    /** A file that grows at its end. */
    interface Output extends AutoCloseable {

        void write(byte[] bytes) throws IOException;

        /** Returns when all bytes are durable. */
        void force() throws IOException;

        @Override
        void close() throws IOException;
    }
}
