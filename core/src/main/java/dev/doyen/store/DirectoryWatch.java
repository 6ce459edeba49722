package dev.doyen.store;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Announces changes of a directory's files by the kernel's own notices; starts its one thread with the first watch. */
final class DirectoryWatch implements AutoCloseable {

    private final Path directory;
    private final Map<String, List<Runnable>> watchers = new ConcurrentHashMap<>();
    private @Nullable WatchService service;
    private boolean closed;

    DirectoryWatch(Path directory) {
        this.directory = directory;
    }

    /** Empty if the kernel has no notices left to give; polling does without. */
    Optional<LeaseStore.Watch> watch(String fileName, Runnable changed) {
        if (!start()) {
            return Optional.empty();
        }
        List<Runnable> list = watchers.computeIfAbsent(fileName, f -> new CopyOnWriteArrayList<>());
        list.add(changed);
        return Optional.of(() -> list.remove(changed));
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
            register(opened);
            service = opened;
            var thread = new Thread(() -> announce(opened), "doyen-file-watch");
            thread.setDaemon(true);
            thread.start();
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private void register(WatchService opened) throws IOException {
        try {
            directory.register(opened, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
        } catch (IOException e) {
            // Of these too the kernel has only so many.
            opened.close();
            throw e;
        }
    }

    private void announce(WatchService opened) {
        try {
            while (true) {
                WatchKey key = opened.take();
                for (WatchEvent<?> event : key.pollEvents()) {
                    if (event.context() instanceof Path changed) {
                        watchers.getOrDefault(changed.toString(), List.of()).forEach(Runnable::run);
                    } else {
                        // Overflow: notices were lost, so everything may have changed.
                        watchers.values().forEach(list -> list.forEach(Runnable::run));
                    }
                }
                if (!key.reset()) {
                    return;
                }
            }
        } catch (ClosedWatchServiceException | InterruptedException e) {
            // The store was closed; nobody listens any more.
        }
    }
}
