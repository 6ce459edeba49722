package dev.doyen.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A new temporary directory. {@link #close} deletes the directory and its content. */
public final class DataFolder implements AutoCloseable {

    private final Path path;

    public DataFolder() throws IOException {
        path = Files.createTempDirectory("doyen-bench");
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(path)) {
            all.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            System.err.println("some files are left in " + path);
        }
    }
}
