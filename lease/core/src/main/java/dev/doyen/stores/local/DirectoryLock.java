package dev.doyen.stores.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Serializes the writers to a directory. A writer waits for at most {@value #PATIENCE_MILLIS} ms.
 *
 * <p>It applies to the threads of this JVM and to other processes of this machine. A process that is suspended may hold
 * the lock for any length of time. It must not prevent a takeover, so a writer that has waited for
 * {@value #PATIENCE_MILLIS} ms goes on without the lock. {@link LeaseFile} then makes sure that no update is lost.
 *
 * <p>POSIX locks have two properties that shape this class. First, they belong to the process and not to the channel.
 * Closing <em>any</em> channel on the file drops the lock, even a channel that was opened for reading. So the lock has
 * its own file, which nothing else opens, and one channel per JVM, which all stores on the directory share. Second, if
 * the same JVM locks again, that is an error and not a wait. So an ordinary lock surrounds the file lock. The kernel
 * frees the file lock when the process ends.
 */
final class DirectoryLock implements AutoCloseable {

    private static final long PATIENCE_MILLIS = 100;
    private static final long LOOK_NANOS = 500_000;
    private static final Map<Path, DirectoryLock> OPEN = new HashMap<>();

    private final ReentrantLock inThisJvm = new ReentrantLock();
    private final Path directory;
    private final FileChannel channel;
    private int users = 1;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Returns the lock of this directory.
     *
     * @param directory a real path, without symbolic links
     */
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

    /** Runs {@code action} under the lock. If the lock was not free in time, runs it without. */
    <T> T politely(IoAction<T> action) throws IOException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        if (!isMineInThisJvm()) {
            return action.run();
        }
        try {
            return runUnder(lockBefore(until), action);
        } finally {
            inThisJvm.unlock();
        }
    }

    private static <T> T runUnder(@Nullable FileLock held, IoAction<T> action) throws IOException {
        try {
            return action.run();
        } finally {
            if (held != null) {
                held.release();
            }
        }
    }

    private boolean isMineInThisJvm() {
        try {
            return inThisJvm.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Polls, because {@link FileChannel#lock} has no timeout. Null if the lock could not be acquired. */
    private @Nullable FileLock lockBefore(long until) throws IOException {
        FileLock held = channel.tryLock();
        while (held == null && until - System.nanoTime() > 0) {
            LockSupport.parkNanos(LOOK_NANOS);
            held = channel.tryLock();
        }
        return held;
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
