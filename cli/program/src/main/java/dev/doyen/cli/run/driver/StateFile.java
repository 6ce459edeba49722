package dev.doyen.cli.run.driver;

import dev.doyen.event.SavedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * The file through which the run and its command exchange the saved state. Threads: one.
 *
 * <p>The file is in its own directory, which only this user can read.
 */
final class StateFile implements AutoCloseable {

    private final Path directory;
    private final Path file;
    private Optional<SavedState> known = Optional.of(SavedState.EMPTY);
    private Stamp seen = Stamp.NONE;
    private Stamp taken = Stamp.NONE;

    private StateFile(Path directory) {
        this.directory = directory;
        this.file = directory.resolve("state");
    }

    static StateFile create() throws IOException {
        return new StateFile(Files.createTempDirectory("doyen-run-").toAbsolutePath());
    }

    Path directory() {
        return directory;
    }

    Path path() {
        return file;
    }

    /** Writes the state that the command reads. */
    void give(SavedState state) throws IOException {
        Files.write(file, state.bytes());
        known = Optional.of(state);
        seen = stamp();
        taken = seen;
    }

    /**
     * Returns a state that the command has saved, after the file has stopped changing.
     *
     * <p>The result is empty if the file has changed since the previous call, because the command may still be writing
     * the file. The result is also empty if the state is not new.
     */
    Optional<SavedState> settled() throws IOException, TooLargeException {
        var now = stamp();
        boolean still = now.equals(seen);
        seen = now;
        return still && !now.equals(taken) ? read(now) : Optional.empty();
    }

    /**
     * Returns the last state that the command has saved; empty if it is not new.
     *
     * <p>Call this method after the command has ended.
     */
    Optional<SavedState> left() throws IOException, TooLargeException {
        return read(stamp());
    }

    /**
     * Makes the next read return the present state, even if an earlier read has returned it.
     *
     * <p>Call this method if the state of an earlier read was perhaps not saved.
     */
    void repeat() {
        known = Optional.empty();
        taken = Stamp.NONE;
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            // The command has left other files in the directory. The system's cleanup of temporary files removes the
            // directory.
        }
    }

    /**
     * Reads the file. The result is empty if the state is unchanged or the file was deleted. A deleted file does not
     * delete the saved state.
     */
    private Optional<SavedState> read(Stamp stamp) throws IOException, TooLargeException {
        taken = stamp;
        if (stamp.equals(Stamp.NONE)) {
            return Optional.empty();
        }
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(SavedState.MAX_BYTES + 1);
        }
        if (bytes.length > SavedState.MAX_BYTES) {
            throw new TooLargeException(Files.size(file));
        }
        var state = SavedState.of(bytes);
        var changed = Optional.of(state);
        if (changed.equals(known)) {
            return Optional.empty();
        }
        known = changed;
        return changed;
    }

    private Stamp stamp() throws IOException {
        if (!Files.isRegularFile(file)) {
            return Stamp.NONE;
        }
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(attributes.lastModifiedTime(), attributes.size(), String.valueOf(attributes.fileKey()));
    }

    /** The attributes that distinguish two versions of the file. */
    private record Stamp(FileTime modified, long size, String key) {
        static final Stamp NONE = new Stamp(FileTime.fromMillis(0), -1, "");
    }

    /** Thrown if the state is too large for a lease record. */
    static final class TooLargeException extends Exception {
        private static final long serialVersionUID = 1;

        TooLargeException(long bytes) {
            super("the state of the command has " + bytes + " bytes; at most " + SavedState.MAX_BYTES
                    + " are kept under a lease, so the state saved before is kept: save a pointer to the rest");
        }
    }
}
