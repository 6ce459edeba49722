package dev.doyen.store;

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
 * Keeps the writers to a directory out of each other's way, threads of this JVM and processes of this machine: by mutual
 * exclusion, but not for ever. Whoever holds it may stand still, as a suspended process does, and a lease that cannot be
 * taken over from one that stands still is none; so after {@value #PATIENCE_MILLIS} ms one goes on without it. That no
 * update is lost then is {@link LeaseFile}'s doing.
 *
 * <p>Two facts of POSIX locks shape it. They belong to the process, not to the channel: closing <em>any</em> channel on
 * the file, even one opened to read it, drops the lock. So the lock has a file of its own, which nothing else ever
 * opens, and one channel per JVM, shared by all stores on the directory. And a second lock by the same JVM is an error,
 * not a wait; hence the ordinary lock around it. The kernel frees the lock when the process dies.
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

    /** Runs {@code action} while nobody else does so for this directory, unless that takes too long to be had. */
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

    /** By asking again and again: there is no waiting for a file lock that would end. Null if it was not to be had. */
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
