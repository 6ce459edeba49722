package dev.doyen.simulator.mutants;

import dev.doyen.mutants.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds the sources of the lease machine, its driver and its API in the core. No two of these files have the same
 * name.
 */
public final class Sources {

    private static final List<Path> PLACES = List.of(Path.of("lease", "core"), Path.of("..", "..", "lease", "core"));
    private static final Path JAVA = Path.of("src", "main", "java");
    private static final List<String> PACKAGES =
            List.of("dev.doyen.lease", "dev.doyen.driver", "dev.doyen.candidate", "dev.doyen.election", "dev.doyen");

    private Sources() {}

    /**
     * Returns the sources.
     *
     * @throws IllegalStateException if the working directory is neither the root nor two levels below the root
     */
    public static SourceTree find() {
        return PLACES.stream()
                .map(place -> place.resolve(JAVA))
                .filter(Files::isDirectory)
                .findFirst()
                .map(root -> new SourceTree(root, PACKAGES))
                .orElseThrow(() -> new IllegalStateException(
                        "the sources of core are not found from " + Path.of("").toAbsolutePath()
                                + ": run this from the root of the repository, or from a module"));
    }
}
