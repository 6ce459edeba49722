package dev.doyen.server.run.driver;

import dev.doyen.event.HandOverState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * The file through which a command receives what the leaders before left, and leaves something itself. It lies in a
 * directory of its own, which only this user can read. Threads: one.
 */
final class StateFile implements AutoCloseable {

    private final Path directory;
    private final Path file;
    private HandOverState known = HandOverState.EMPTY;
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

    /** Writes what a command is to find. */
    void give(HandOverState state) throws IOException {
        Files.write(file, state.bytes());
        known = state;
        seen = stamp();
        taken = seen;
    }

    /**
     * What the command has left since, if it has not changed it since the last look either: one who looks while it
     * writes would see half of it.
     */
    Optional<HandOverState> settled() throws IOException, TooLargeException {
        var now = stamp();
        boolean still = now.equals(seen);
        seen = now;
        return still && !now.equals(taken) ? read(now) : Optional.empty();
    }

    /** What the command has left, if that is news; for when it writes no more. */
    Optional<HandOverState> left() throws IOException, TooLargeException {
        return read(stamp());
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            // Something of the command's own lies beside it; the system's cleaning of temporary files will come by.
        }
    }

    /** A file that was taken away changes nothing: the state before stays. */
    private Optional<HandOverState> read(Stamp stamp) throws IOException, TooLargeException {
        taken = stamp;
        if (stamp.equals(Stamp.NONE)) {
            return Optional.empty();
        }
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(HandOverState.MAX_BYTES + 1);
        }
        if (bytes.length > HandOverState.MAX_BYTES) {
            throw new TooLargeException(Files.size(file));
        }
        var state = HandOverState.of(bytes);
        if (state.equals(known)) {
            return Optional.empty();
        }
        known = state;
        return Optional.of(state);
    }

    private Stamp stamp() throws IOException {
        if (!Files.isRegularFile(file)) {
            return Stamp.NONE;
        }
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(attributes.lastModifiedTime(), attributes.size(), String.valueOf(attributes.fileKey()));
    }

    /** Tells one writing of the file from another. */
    private record Stamp(FileTime modified, long size, String key) {
        static final Stamp NONE = new Stamp(FileTime.fromMillis(0), -1, "");
    }

    /** More was left than fits under a lease. */
    static final class TooLargeException extends Exception {
        private static final long serialVersionUID = 1;

        TooLargeException(long bytes) {
            super("the state the command left has " + bytes + " bytes; at most " + HandOverState.MAX_BYTES
                    + " are kept under a lease, and what was saved before stays: leave a pointer to the rest");
        }
    }
}
