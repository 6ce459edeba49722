package dev.doyen.stores.local;

import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.support.LeaseWatchers;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Announces changes of the files in a directory, by notifications of the operating system.
 *
 * <p>All watches share one thread, which the first watch starts. If the directory is deleted, the thread watches it
 * again as soon as it exists again.
 */
final class DirectoryWatch implements AutoCloseable {

    /** The interval at which the thread tries to watch a directory again. The unit is milliseconds. */
    private static final long AGAIN_MILLIS = 500;

    private final Path directory;
    private final ThreadFactory factory;
    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen"));
    private final LeaseWatchers watchers = new LeaseWatchers(faults);
    private @Nullable WatchService service;
    private boolean closed;

    DirectoryWatch(Path directory) {
        this(directory, Thread::new);
    }

    DirectoryWatch(Path directory, ThreadFactory factory) {
        this.directory = directory;
        this.factory = factory;
    }

    /**
     * Returns a watch. The result is empty if the watch cannot be started, for example because of a limit of the
     * operating system. The caller then polls.
     */
    Optional<LeaseStore.Watch> watch(String fileName, Runnable changed) {
        if (!start()) {
            return Optional.empty();
        }
        return Optional.of(watchers.add(fileName, changed));
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (service != null) {
            try {
                service.close();
            } catch (IOException e) {
                throw new StoreUnavailableException("the watch on " + directory + " could not be closed", e);
            }
        }
    }

    private synchronized boolean start() {
        if (closed) {
            return false;
        }
        if (service != null) {
            return true;
        }
        try {
            WatchService opened = directory.getFileSystem().newWatchService();
            boolean announced = false;
            try {
                register(opened);
                start(() -> announce(opened));
                announced = true;
            } finally {
                if (!announced) {
                    // Close the unused watch service, because the operating system limits the number of watch services.
                    opened.close();
                }
            }
            service = opened;
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        } catch (Throwable e) {
            // The process cannot start a thread now. The next watch tries again.
            faults.report("the start of a watch on " + directory, e);
            return false;
        }
    }

    private void start(Runnable announcing) {
        Thread thread = factory.newThread(announcing);
        thread.setName("doyen-file-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void register(WatchService opened) throws IOException {
        directory.register(opened, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
    }

    private void announce(WatchService opened) {
        boolean registered = true;
        while (true) {
            try {
                WatchKey key = registered ? opened.take() : opened.poll(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
                if (key != null) {
                    faults.survives("an announcement of changes", () -> announce(key.pollEvents()));
                    // The result is false if the directory was deleted.
                    registered = key.reset();
                } else {
                    register(opened);
                    registered = true;
                    // The thread has possibly missed changes.
                    watchers.announceAll();
                }
            } catch (ClosedWatchServiceException | InterruptedException e) {
                // The store was closed.
                return;
            } catch (NoSuchFileException e) {
                // The directory does not exist yet.
            } catch (Throwable e) {
                faults.report("the watch on " + directory, e);
            }
        }
    }

    private void announce(List<WatchEvent<?>> events) {
        for (WatchEvent<?> event : events) {
            if (event.context() instanceof Path changed) {
                watchers.announce(changed.toString());
            } else {
                // The event is an overflow. Notifications were lost, so it is unknown which files have changed.
                watchers.announceAll();
            }
        }
    }
}
