package dev.doyen.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A small text that one process keeps for itself over restarts. It is replaced as a whole, and on the disk before
 * {@link #replace} returns. While it is open no other process of this machine opens it: of one that has ended, the kernel
 * frees it.
 *
 * <p>Threads: any. Errors: {@link IOException} of whatever the file system says.
 */
public final class OwnFile implements AutoCloseable {

    /** Real paths that this JVM has open: a file lock belongs to the process, and closing a second channel would drop it. */
    private static final Set<Path> OPEN = new HashSet<>();

    private final Path file;
    private final LeaseFolder folder;
    private final FileChannel lock;
    private boolean closed;
    private boolean writing;

    private OwnFile(Path file, LeaseFolder folder, FileChannel lock) {
        this.file = file;
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Opens it, and a lock beside it whose name ends in {@code .lock}. The text need not be there yet; its folder must.
     *
     * @throws FileSystemException if another process, or another election of this one, has it open, or if it is a symbolic
     *     link
     */
    public static OwnFile open(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path parent = Optional.ofNullable(absolute.getParent())
                .orElseThrow(() -> new FileSystemException(path.toString(), null, "it is no file"))
                .toRealPath();
        Path name = Optional.ofNullable(absolute.getFileName())
                .orElseThrow(() -> new FileSystemException(path.toString(), null, "it is no file"));
        Path file = parent.resolve(name);
        if (Files.isSymbolicLink(file)) {
            // The first write would put a file in the link's place, and what the link leads to would stay as it was.
            throw new FileSystemException(file.toString(), null, "it is a symbolic link; name the file itself");
        }
        synchronized (OPEN) {
            if (!OPEN.add(file)) {
                throw inUse(file);
            }
            try {
                return new OwnFile(file, new LeaseFolder(parent), locked(file));
            } catch (IOException | RuntimeException e) {
                OPEN.remove(file);
                throw e;
            }
        }
    }

    /** Empty before the first {@link #replace}. */
    public Optional<String> text() throws IOException {
        return folder.text(name());
    }

    /** After an error the old text is there, or the new one. Waits for the disk. */
    public void replace(String text) throws IOException {
        begin();
        try {
            String temporary = "." + name() + ".new";
            folder.delete(temporary);
            folder.create(temporary, text);
            if (!folder.replace(temporary, name())) {
                throw new FileSystemException(file.toString(), null, "what was to replace it was taken away");
            }
        } finally {
            end();
        }
    }

    /** Whoever opens it next finds what was written; a write that is under way keeps it until it has ended. */
    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            release();
        }
    }

    private synchronized void begin() throws IOException {
        if (closed || writing) {
            throw new FileSystemException(file.toString(), null, closed ? "it is closed" : "it is being written");
        }
        writing = true;
    }

    private synchronized void end() throws IOException {
        writing = false;
        if (closed) {
            release();
        }
    }

    private void release() throws IOException {
        if (!writing) {
            synchronized (OPEN) {
                lock.close();
                OPEN.remove(file);
            }
        }
    }

    private String name() {
        return String.valueOf(file.getFileName());
    }

    private static FileChannel locked(Path file) throws IOException {
        var channel = FileChannel.open(
                file.resolveSibling(file.getFileName() + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw inUse(file);
            }
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static FileSystemException inUse(Path file) {
        return new FileSystemException(file.toString(), null, "another process or election has it open");
    }
}
