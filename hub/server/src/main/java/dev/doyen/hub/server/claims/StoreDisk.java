package dev.doyen.hub.server.claims;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The disk that contains a {@code file:} store.
 *
 * <p>Threads: any. The check asks the file system and writes nothing.
 *
 * @param directory the directory of the store; null if the store is not in a local directory
 */
record StoreDisk(@Nullable Path directory) {

    /** The free space below which a hub is not ready. A lease file has at most about 100 KiB. */
    static final long MIN_FREE_BYTES = 16 * 1024 * 1024;

    private static final String SCHEME = "file:";

    /** Returns the disk that contains the store with this URL. */
    static StoreDisk of(String url) {
        if (!url.startsWith(SCHEME)) {
            return new StoreDisk(null);
        }
        String path = url.substring(SCHEME.length());
        return new StoreDisk(Path.of(path.startsWith("//") ? path.substring(2) : path));
    }

    /**
     * Returns the fault of the disk as a sentence; empty if the disk has none. A disk with less free space than {@link
     * #MIN_FREE_BYTES} has a fault, even if the store can still write.
     */
    Optional<String> fault() {
        return directory == null ? Optional.empty() : fault(directory);
    }

    private static Optional<String> fault(Path directory) {
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            return Optional.of("the directory of the store, " + directory + ", cannot be written");
        }
        try {
            return fault(directory, Files.getFileStore(directory).getUsableSpace());
        } catch (IOException e) {
            return Optional.of("the disk of the store in " + directory + " does not answer: " + e.getMessage());
        }
    }

    static Optional<String> fault(Path directory, long freeBytes) {
        return freeBytes < MIN_FREE_BYTES
                ? Optional.of("the disk of the store in " + directory + " has " + freeBytes
                        + " free bytes, and the store needs " + MIN_FREE_BYTES + "; free some space")
                : Optional.empty();
    }
}
