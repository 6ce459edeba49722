package dev.doyen.image.driver;

import dev.doyen.image.SharedObjects;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Stream;

/**
 * The system whose JDK and C library an image contains.
 *
 * <p>The system is this machine, or a folder with the unpacked Debian packages of one architecture. The folder also
 * contains the database of dpkg.
 *
 * @param root the root folder of the system
 * @param architecture the name of the architecture in Go, which is also Debian's name: amd64 or arm64
 * @param jdk the folder of the JDK
 */
record TargetSystem(Path root, String architecture, Path jdk) {

    private static final Map<String, String> ARCHITECTURES = Map.of("amd64", "amd64", "aarch64", "arm64");
    private static final Map<String, String> LOADERS =
            Map.of("amd64", "lib64/ld-linux-x86-64.so.2", "arm64", "lib/ld-linux-aarch64.so.1");
    private static final Map<String, String> EMULATORS =
            Map.of("amd64", "qemu-x86_64-static", "arm64", "qemu-aarch64-static");
    private static final Map<String, String> LIBRARIES =
            Map.of("amd64", "x86_64-linux-gnu", "arm64", "aarch64-linux-gnu");
    private static final Path HERE = Path.of("/");
    private static final String JDKS = "usr/lib/jvm";

    /** A Debian package of the system. The name can end with a colon and the architecture. */
    record DebianPackage(String name) {

        String plainName() {
            return name.replaceFirst(":.*", "");
        }
    }

    /** Returns this machine, with the running JDK. */
    static TargetSystem here() {
        return new TargetSystem(HERE, architectureHere(), Path.of(System.getProperty("java.home")));
    }

    /** Returns the system in this folder. */
    static TargetSystem in(Path folder) {
        var root = folder.toAbsolutePath().normalize();
        var architecture = LOADERS.entrySet().stream()
                .filter(each -> Files.isReadable(root.resolve(each.getValue())))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new ImageRefusedException("the folder " + folder + " contains none of the loaders "
                        + LOADERS.values() + "; unpack the Debian package libc6 into this folder"));
        return new TargetSystem(root, architecture, jdk(root));
    }

    private static Path jdk(Path root) {
        var folder = root.resolve(JDKS);
        List<Path> found = List.of();
        if (Files.isDirectory(folder)) {
            try (var all = Files.list(folder)) {
                found = all.filter(each -> Files.isDirectory(each.resolve("jmods")) && !Files.isSymbolicLink(each))
                        .toList();
            } catch (IOException e) {
                throw new ImageRefusedException("the folder " + folder + " is not readable: " + e.getMessage(), e);
            }
        }
        if (found.size() != 1) {
            throw new ImageRefusedException("the folder " + folder + " contains " + found.size()
                    + " JDKs with a folder jmods instead of one; unpack one Debian package openjdk-"
                    + Runtime.version().feature() + "-jdk-headless into " + root);
        }
        return found.get(0);
    }

    private static String architectureHere() {
        var here = System.getProperty("os.arch");
        return Optional.ofNullable(ARCHITECTURES.get(here))
                .orElseThrow(() -> new ImageRefusedException(
                        "images are built on " + ARCHITECTURES.keySet() + ", and this machine is " + here));
    }

    boolean isHere() {
        return root.equals(HERE);
    }

    /** Returns whether this machine runs the programs of the system without an emulator. */
    boolean runsHere() {
        return architecture.equals(architectureHere());
    }

    /** Returns the command that runs this program of the system on this machine. */
    List<String> command(Stream<String> program) {
        var emulator = runsHere()
                ? Stream.<String>of()
                : Stream.of(Optional.ofNullable(EMULATORS.get(architecture)).orElseThrow(), "-L", root.toString());
        return Stream.concat(emulator, program).toList();
    }

    /** Returns the loader of the C library. */
    Path loader() {
        return root.resolve(Optional.ofNullable(LOADERS.get(architecture)).orElseThrow());
    }

    /**
     * Returns the shared libraries that a file needs. The result is empty if the file is not linked.
     *
     * @param own the names of the libraries that the program contains
     */
    SortedSet<String> librariesOf(Path file, Set<String> own) throws IOException, InterruptedException {
        List<String> list = new ArrayList<>();
        list.add(loader().toString());
        if (!isHere()) {
            var folder = Optional.ofNullable(LIBRARIES.get(architecture)).orElseThrow();
            list.add("--library-path");
            list.add(root.resolve("lib").resolve(folder) + ":"
                    + root.resolve("usr/lib").resolve(folder));
        }
        list.add(file.toString());
        // With this variable, the loader prints the libraries and does not start the program. The program ldd uses it.
        var command = Stream.concat(Stream.of("env", "LD_TRACE_LOADED_OBJECTS=1"), command(list.stream()).stream())
                .toList();
        return SharedObjects.of(file.toString(), outputOf(command), own);
    }

    /** Returns the path of a file of this system on the system itself. */
    Path inside(Path file) {
        return HERE.resolve(root.relativize(file));
    }

    /** Returns the Debian package that contains the file. */
    Optional<DebianPackage> packageOf(Path file) throws IOException, InterruptedException {
        var path = inside(file).toString();
        // On a system with merged /usr, the database of dpkg perhaps still contains the path from before the merge.
        for (var each : List.of(path, path.replaceFirst("^/usr", ""))) {
            var lines = outputOf(List.of("dpkg", "--admindir=" + root.resolve("var/lib/dpkg"), "-S", each));
            if (!lines.isEmpty() && lines.get(0).contains(": ")) {
                return Optional.of(
                        new DebianPackage(lines.get(0).substring(0, lines.get(0).indexOf(": "))));
            }
        }
        return Optional.empty();
    }

    /** Returns the description of the package in the format of dpkg's database. */
    String description(DebianPackage of) throws IOException, InterruptedException {
        var lines = outputOf(List.of(
                "dpkg-query",
                "--admindir=" + root.resolve("var/lib/dpkg"),
                "-W",
                "-f=Package: ${Package}\\nVersion: ${Version}\\nArchitecture: ${Architecture}\\n"
                        + "Source: ${source:Package} (${source:Version})\\nMaintainer: ${Maintainer}\\n"
                        + "Description: ${binary:Summary}\\n",
                of.name()));
        if (lines.isEmpty()) {
            throw new ImageRefusedException(
                    "dpkg-query has no description of the package " + of.name() + " in " + root);
        }
        return String.join("\n", lines) + "\n";
    }

    /** Returns the output of the command as lines; empty if the command fails. */
    private static List<String> outputOf(List<String> command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? output.lines().toList() : List.of();
    }
}
