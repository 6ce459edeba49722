package dev.doyen.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where the sources that are broken lie.
 *
 * @param root a folder src/main/java
 * @param packages of these; no two of their files share a name
 */
public record SourceTree(Path root, List<String> packages) {

    public SourceTree {
        packages = List.copyOf(packages);
    }

    /** The package of this class, in the module whose tests run. */
    public static SourceTree around(Class<?> world) {
        return new SourceTree(Path.of("src", "main", "java"), List.of(world.getPackageName()));
    }

    /** The file's name with its folders, from the root. */
    String nameOf(String file) {
        return packages.stream()
                .map(each -> each.replace('.', '/') + "/" + file)
                .filter(each -> Files.isRegularFile(root.resolve(each)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no file " + file + " in " + packages));
    }

    String read(String name) throws IOException {
        return Files.readString(root.resolve(name));
    }
}
