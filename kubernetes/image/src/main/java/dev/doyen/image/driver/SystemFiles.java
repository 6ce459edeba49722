package dev.doyen.image.driver;

import dev.doyen.image.SharedObjects;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Copies the files of the operating system that a runtime needs.
 *
 * <p>The files are the C library with its loader, and the names of users. The libraries and their licences are copied
 * from the machine that builds the image.
 */
final class SystemFiles {

    private static final String PASSWD = """
            root:x:0:0:root:/:/sbin/nologin
            doyen:x:1069:1069:doyen:/doyen:/sbin/nologin
            """;
    private static final String GROUP = """
            root:x:0:
            doyen:x:1069:
            """;
    private static final String NAMES = "hosts: files dns\n";

    /**
     * The libraries that {@code ldd} does not list before glibc 2.34.
     *
     * <p>The C library loads these libraries at the first lookup of a name.
     */
    private static final List<String> LOADED_LATER = List.of("libnss_files.so.2", "libnss_dns.so.2", "libresolv.so.2");

    private SystemFiles() {}

    /**
     * Copies the files to {@code root}. The folder {@code runtime}, which is below {@code root}, already contains the
     * runtime.
     */
    static void copy(Path root, Path runtime) throws IOException, InterruptedException {
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/passwd"), PASSWD);
        Files.writeString(root.resolve("etc/group"), GROUP);
        Files.writeString(root.resolve("etc/nsswitch.conf"), NAMES);
        for (var library : libraries(runtime)) {
            var source = Path.of(library);
            put(source.toRealPath(), root, source);
            terms(source, root);
        }
    }

    private static SortedSet<String> libraries(Path runtime) throws IOException, InterruptedException {
        SortedSet<String> all = new TreeSet<>();
        try (var files = Files.walk(runtime)) {
            var linked = files.filter(SystemFiles::isLinked).toList();
            var own = linked.stream().map(each -> each.getFileName().toString()).collect(Collectors.toSet());
            for (var file : linked) {
                all.addAll(SharedObjects.of(file.toString(), outputOf("ldd", file.toString()), own));
            }
        }
        all.removeIf(each -> each.startsWith(runtime.toString()));
        for (var libc : List.copyOf(all)) {
            if (libc.endsWith("/libc.so.6")) {
                LOADED_LATER.stream()
                        .map(each -> Path.of(libc).resolveSibling(each))
                        .filter(Files::isReadable)
                        .forEach(each -> all.add(each.toString()));
            }
        }
        if (all.isEmpty()) {
            throw new ImageRefusedException("ldd names no C library that Java is linked with; images are built on Linux"
                    + " with glibc, such as Debian");
        }
        return all;
    }

    private static boolean isLinked(Path file) {
        var path = file.toString();
        return Files.isRegularFile(file) && (path.endsWith(".so") || path.matches(".*/(bin/[^/]+|jspawnhelper)"));
    }

    /** Copies the licence of the library's Debian package. Prints a warning if no licence is found. */
    private static void terms(Path library, Path root) throws IOException, InterruptedException {
        var owner = owner(library).or(() -> owner(real(library)));
        if (owner.isEmpty()) {
            System.err.println("image: the licence of " + library + " was not found, and is not in the image");
            return;
        }
        var copyright = Path.of("/usr/share/doc", owner.get(), "copyright");
        put(copyright.toRealPath(), root, copyright);
    }

    /** Returns the name of the Debian package that contains the file. */
    private static Optional<String> owner(Path file) {
        try {
            // On a system with merged /usr, the database of dpkg perhaps still contains the path from before the merge.
            for (var path : List.of(file.toString(), file.toString().replaceFirst("^/usr", ""))) {
                var lines = outputOf("dpkg", "-S", path);
                if (!lines.isEmpty() && lines.get(0).contains(":")) {
                    return Optional.of(lines.get(0).substring(0, lines.get(0).indexOf(':')))
                            .filter(name -> Files.isReadable(Path.of("/usr/share/doc", name, "copyright")));
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            return file;
        }
    }

    private static void put(Path source, Path root, Path where) throws IOException {
        var target = root.resolve(Path.of("/").relativize(where).toString());
        Files.createDirectories(target.getParent());
        if (!Files.exists(target)) {
            Files.copy(source, target);
        }
    }

    /** Returns the output of the command as lines; empty if the command fails. */
    private static List<String> outputOf(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? output.lines().toList() : List.of();
    }
}
