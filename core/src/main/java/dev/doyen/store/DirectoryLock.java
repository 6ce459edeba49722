package dev.doyen.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Mutual exclusion over a directory, between threads of this JVM and between processes of this machine.
 *
 * <p>Two facts of POSIX locks shape it. They belong to the process, not to the channel: closing <em>any</em> channel on
 * the file, even one opened to read it, drops the lock. So the lock has a file of its own, which nothing else ever
 * opens, and one channel per JVM, shared by all stores on the directory. And a second lock by the same JVM is an error,
 * not a wait; hence the ordinary lock around it. The kernel frees the lock when the process dies.
 */
final class DirectoryLock implements AutoCloseable {

    private static final Map<Path, DirectoryLock> OPEN = new HashMap<>();

    private final ReentrantLock inThisJvm = new ReentrantLock();
    private final Path directory;
    private final FileChannel channel;
    private int users = 1;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /** The lock of this directory, whose path must be real (no links left in it). */
    static DirectoryLock of(Path directory) throws IOException {
        synchronized (OPEN) {
            DirectoryLock known = OPEN.get(directory);
            if (known != null) {
                known.users++;
                return known;
            }
            var channel =
                    FileChannel.open(directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            var lock = new DirectoryLock(directory, channel);
            OPEN.put(directory, lock);
            return lock;
        }
    }

    /** Runs {@code action} while nobody else on this machine does so for this directory. */
    <T> T whileLocked(IoAction<T> action) throws IOException {
        inThisJvm.lock();
        try (FileLock held = channel.lock()) {
            if (!held.isValid()) {
                throw new IOException("the lock on " + directory + " was lost");
            }
            return action.run();
        } finally {
            inThisJvm.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (OPEN) {
            if (--users == 0) {
                OPEN.remove(directory);
                channel.close();
            }
        }
    }

    interface IoAction<T> {
        T run() throws IOException;
    }
}
