package dev.doyen.stores.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Serializes the writers to a directory. A writer waits for at most {@value #PATIENCE_MILLIS} ms.
 *
 * <p>The lock applies to the threads of this JVM and to other processes of this computer. A suspended process can hold
 * the lock for any length of time, and must not prevent a takeover. So a writer continues without the lock after
 * {@value #PATIENCE_MILLIS} ms. Even without the lock, {@link LeaseFile} ensures that no update is lost. A deletion of
 * records needs the lock, and does not happen without it.
 *
 * <p>Two properties of POSIX locks determine this design. First, such a lock belongs to the process and not to the
 * channel. If the process closes <em>any</em> channel on the file, even a channel for reading, the lock is lost. So
 * the lock has its own file, which no other code opens. All stores of a JVM on the directory share one channel to
 * this file. Second, if the JVM already holds the lock, another lock call of this JVM fails instead of waiting. So the
 * threads of a JVM first compete for a Java lock, and only its owner requests the file lock. The kernel frees the file
 * lock when the process ends.
 */
class DirectoryLock implements AutoCloseable {

    private static final long PATIENCE_MILLIS = 100;
    private static final long LOOK_NANOS = 500_000;
    private static final Map<Path, DirectoryLock> OPEN = new HashMap<>();

    private final ReentrantLock inThisJvm = new ReentrantLock();
    private final Path directory;
    private final FileChannel channel;
    private int users = 1;

    DirectoryLock(Path directory, FileChannel channel) {
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
            var channel = FileChannel.open(
                    directory.resolve(".lock"),
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    OwnerOnly.fileIn(directory));
            var lock = new DirectoryLock(directory, channel);
            OPEN.put(directory, lock);
            return lock;
        }
    }

    /**
     * Runs {@code action} under the lock. If the lock does not become free in time, or if the calling thread is
     * interrupted, the action runs without the lock.
     *
     * <p>The action keeps the lock to its end, even if the last store on the directory is closed during the action.
     */
    <T> T locked(IoAction<T> action) throws IOException {
        synchronized (OPEN) {
            users++;
        }
        try {
            return run(action);
        } finally {
            close();
        }
    }

    private <T> T run(IoAction<T> action) throws IOException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        if (!isMineInThisJvm()) {
            return action.run(false);
        }
        try {
            return runUnder(lockBefore(until), action);
        } finally {
            inThisJvm.unlock();
        }
    }

    private static <T> T runUnder(@Nullable FileLock held, IoAction<T> action) throws IOException {
        try {
            return action.run(held != null);
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

    /**
     * Polls for the file lock, because {@link FileChannel#lock} has no timeout. The result is null if the lock could
     * not be acquired.
     */
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
                OPEN.remove(directory, this);
                channel.close();
            }
        }
    }

    interface IoAction<T> {
        /**
         * Runs the action.
         *
         * @param locked true if the action runs under the lock
         */
        T run(boolean locked) throws IOException;
    }
}
