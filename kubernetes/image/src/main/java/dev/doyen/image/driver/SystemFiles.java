package dev.doyen.image.driver;

import dev.doyen.image.ImagePaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Copies the files of the operating system that a runtime needs.
 *
 * <p>The files are the C library with its loader, the names of users, and the licences and descriptions of the Debian
 * packages.
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
     * Copies the files of this system to {@code root}. The folder {@code runtime}, which is below {@code root}, already
     * contains the runtime.
     */
    static void copy(TargetSystem system, Path root, Path runtime) throws IOException, InterruptedException {
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/passwd"), PASSWD);
        Files.writeString(root.resolve("etc/group"), GROUP);
        Files.writeString(root.resolve("etc/nsswitch.conf"), NAMES);
        for (var library : libraries(system, runtime)) {
            put(library.toRealPath(), root, system.inside(library));
            describe(system, library, root);
        }
        describe(system, system.jdk().resolve("bin/jlink"), root);
    }

    private static Set<Path> libraries(TargetSystem system, Path runtime) throws IOException, InterruptedException {
        Set<Path> all = new TreeSet<>();
        try (var files = Files.walk(runtime)) {
            var linked = files.filter(SystemFiles::isLinked).toList();
            var own = linked.stream().map(each -> each.getFileName().toString()).collect(Collectors.toSet());
            for (var file : linked) {
                system.librariesOf(file, own).forEach(each -> all.add(Path.of(each)));
            }
        }
        all.removeIf(each -> each.startsWith(runtime));
        for (var libc : List.copyOf(all)) {
            if (libc.endsWith("libc.so.6")) {
                LOADED_LATER.stream()
                        .map(libc::resolveSibling)
                        .filter(Files::isReadable)
                        .forEach(all::add);
            }
        }
        if (all.isEmpty()) {
            throw new ImageRefusedException(system.loader() + " names no C library that Java is linked with; images are"
                    + " built on Linux with glibc, such as Debian");
        }
        all.add(system.loader());
        return all;
    }

    private static boolean isLinked(Path file) {
        var path = file.toString();
        return Files.isRegularFile(file) && (path.endsWith(".so") || path.matches(".*/(bin/[^/]+|jspawnhelper)"));
    }

    /**
     * Copies the licence and the description of the Debian package that contains the file. Prints a warning if no
     * package contains the file.
     */
    private static void describe(TargetSystem system, Path file, Path root) throws IOException, InterruptedException {
        var owner = system.packageOf(file);
        if (owner.isEmpty()) {
            owner = system.packageOf(file.toRealPath());
        }
        if (owner.isEmpty()) {
            System.err.println("image: no Debian package contains " + file + "; its licence is not in the image");
            return;
        }
        var name = owner.get().plainName();
        var copyright = system.root().resolve("usr/share/doc").resolve(name).resolve("copyright");
        if (Files.isReadable(copyright)) {
            put(copyright.toRealPath(), root, system.inside(copyright));
        } else {
            System.err.println("image: the licence of the package " + name + " is missing, and is not in the image");
        }
        Files.createDirectories(root.resolve(ImagePaths.PACKAGES));
        Files.writeString(root.resolve(ImagePaths.PACKAGES).resolve(name), system.description(owner.get()));
    }

    private static void put(Path source, Path root, Path where) throws IOException {
        var target = root.resolve(Path.of("/").relativize(where).toString());
        Files.createDirectories(target.getParent());
        if (!Files.exists(target)) {
            Files.copy(source, target);
        }
    }
}
