package dev.doyen.simulator.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The sources of core's lease machine and of its driver, by file name; no two share one. */
public final class SourceTree {

    private static final List<Path> PLACES = List.of(Path.of("core"), Path.of("..", "core"));
    private static final Path DOYEN = Path.of("src", "main", "java", "dev", "doyen");
    private static final List<String> PACKAGES = List.of("lease", "driver");
    private static final String NO_CODE = "package-info.java";

    private final Path root;

    private SourceTree(Path root) {
        this.root = root;
    }

    /** Throws {@link IllegalStateException} if the working directory is neither the root nor a module. */
    public static SourceTree find() {
        return PLACES.stream()
                .map(place -> place.resolve(DOYEN))
                .filter(Files::isDirectory)
                .findFirst()
                .map(SourceTree::new)
                .orElseThrow(() -> new IllegalStateException(
                        "the sources of core are not found from " + Path.of("").toAbsolutePath()
                                + ": run this from the root of the repository, or from a module"));
    }

    Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        for (String name : PACKAGES) {
            try (Stream<Path> all = Files.list(root.resolve(name))) {
                for (Path file : all.sorted().toList()) {
                    if (!file.endsWith(NO_CODE)) {
                        files.put(file.getFileName().toString(), Files.readString(file));
                    }
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
        return files;
    }
}
