package dev.doyen.image.driver;

import dev.doyen.image.ClassList;
import dev.doyen.image.ImagePaths;
import dev.doyen.image.JvmArguments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Creates the class-data archive (CDS) from the classes that a rehearsal used.
 *
 * <p>The archive contains the classes in their memory layout. So the JVM need not read, verify and lay out these
 * classes at each start.
 */
final class ClassArchive {

    /** Returns the command that starts Java with the given options and with the class path of the program. */
    @FunctionalInterface
    interface JavaCommand {
        List<String> with(List<String> options);
    }

    /** Runs the program with its tasks. The parameter is the command without the program's own arguments. */
    @FunctionalInterface
    interface Tasks {
        void run(List<String> command) throws Exception;
    }

    private final Path home;
    private final Path scratch;
    private final JavaCommand java;

    /**
     * @param home the folder in which the commands run; it is complete except for the archive
     * @param scratch a folder for files that do not belong to the program
     */
    ClassArchive(Path home, Path scratch, JavaCommand java) {
        this.home = home;
        this.scratch = scratch;
        this.java = java;
    }

    /**
     * Returns the archive of an image.
     *
     * @param home the image's working directory
     * @param system the system of the runtime
     */
    static ClassArchive ofImage(Path home, Path scratch, TargetSystem system) {
        var java = home.resolve(ImagePaths.RUNTIME).resolve("bin/java").toString();
        return new ClassArchive(
                home,
                scratch,
                options -> system.command(Stream.of(List.of(java), options, List.of("@" + ImagePaths.ARGUMENTS))
                        .flatMap(List::stream)));
    }

    /**
     * Runs the rehearsal, and returns the classes that the program used.
     *
     * @param name the name of the rehearsal, for messages
     * @param start the arguments that precede those of the rehearsal
     */
    List<String> rehearse(String name, List<String> start, Tasks tasks) throws Exception {
        var used = scratch.resolve(name + ".classes");
        try {
            tasks.run(Stream.concat(java.with(List.of("-XX:DumpLoadedClassList=" + used)).stream(), start.stream())
                    .toList());
        } catch (IllegalStateException e) {
            throw new ImageRefusedException(
                    "the rehearsal of " + name + " failed: " + e.getMessage() + ". The output of the program is in "
                            + scratch + ", in a file that ends in .log",
                    e);
        }
        return ClassList.forPods(Files.readAllLines(used));
    }

    /** Creates the archive from these classes. */
    void make(List<String> classes) throws IOException, InterruptedException {
        var list = Files.write(scratch.resolve("archived.classes"), classes);
        run("creating the class-data archive", java.with(JvmArguments.dumping(list.toString())), List.of());
    }

    /**
     * Checks that the JVM accepts the archive.
     *
     * <p>The method starts the program with the archive, and throws {@link ImageRefusedException} if the start fails.
     *
     * <p>By default, the JVM silently ignores an archive that was created with other jars or with another Java version.
     * The argument {@code -Xshare:on} makes such a start fail.
     */
    void check(List<String> start) throws IOException, InterruptedException {
        run(
                "starting with the class-data archive",
                java.with(List.of("-Xshare:on")),
                Stream.concat(start.stream(), Stream.of("--version")).toList());
    }

    private void run(String what, List<String> command, List<String> arguments)
            throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        Stream.concat(command.stream(), arguments.stream()).toList())
                .directory(home.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new ImageRefusedException(what + " failed: " + output.strip());
        }
    }
}
