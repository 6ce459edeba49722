package dev.doyen.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The folder of the sources that mutants edit.
 *
 * @param root the folder {@code src/main/java} of a module
 * @param packages the packages to search; each file name must be unique among them
 */
public record SourceTree(Path root, List<String> packages) {

    public SourceTree {
        packages = List.copyOf(packages);
    }

    /** Returns the sources of the class's package, in the module whose tests run. */
    public static SourceTree around(Class<?> world) {
        return new SourceTree(Path.of("src", "main", "java"), List.of(world.getPackageName()));
    }

    /** Returns the path of the file relative to the root. */
    String nameOf(String file) {
        return packages.stream()
                .map(each -> each.replace('.', '/') + "/" + file)
                .filter(each -> Files.isRegularFile(root.resolve(each)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the packages " + packages + " contain no file " + file));
    }

    String read(String name) throws IOException {
        return Files.readString(root.resolve(name));
    }
}
