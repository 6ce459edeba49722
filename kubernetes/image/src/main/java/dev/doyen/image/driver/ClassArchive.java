package dev.doyen.image.driver;

import dev.doyen.image.ClassList;
import dev.doyen.image.ImagePaths;
import dev.doyen.image.JvmArguments;
import dev.doyen.image.Program;
import dev.doyen.image.Recipe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Creates the class-data archive (CDS) from the classes that a rehearsal used.
 *
 * <p>The archive contains the classes in their memory layout. So the JVM need not read, verify and lay out these
 * classes at each start.
 */
final class ClassArchive {

    private final Path home;
    private final Path scratch;
    private final TargetSystem system;

    /**
     * @param home the image's working directory, which is complete except for the archive
     * @param scratch a folder for files that do not belong to the image
     * @param system the system of the runtime
     */
    ClassArchive(Path home, Path scratch, TargetSystem system) {
        this.home = home;
        this.scratch = scratch;
        this.system = system;
    }

    /** Runs the rehearsal, and returns the file with the list of classes. */
    Path rehearse(Program program) throws Exception {
        var recipe = program.recipe();
        var used = scratch.resolve("rehearsed.classes");
        var command = system.command(Stream.concat(
                Stream.of(java(), "-XX:DumpLoadedClassList=" + used, "@" + ImagePaths.ARGUMENTS, recipe.mainClass()),
                recipe.arguments().stream()));
        try {
            new Rehearsal(home, scratch, command).of(program);
        } catch (IllegalStateException e) {
            throw new ImageRefusedException(
                    "the rehearsal of " + recipe.imageName() + " failed: " + e.getMessage()
                            + ". The output of the program is in " + scratch + ", in a file that ends in .log",
                    e);
        }
        return Files.write(
                scratch.resolve(recipe.imageName() + ".classes"), ClassList.forPods(Files.readAllLines(used)));
    }

    /** Creates the archive from these classes. */
    void make(Path classList) throws IOException, InterruptedException {
        run(
                "creating the class-data archive",
                Stream.concat(
                        JvmArguments.dumping(classList.toString()).stream(), Stream.of("@" + ImagePaths.ARGUMENTS)));
    }

    /**
     * Checks that the JVM accepts the archive.
     *
     * <p>The method starts the program with the archive, and throws {@link ImageRefusedException} if the start fails.
     *
     * <p>By default, the JVM silently ignores an archive that was created with other jars or with another Java version.
     * The argument {@code -Xshare:on} makes such a start fail.
     */
    void check(Recipe recipe) throws IOException, InterruptedException {
        run(
                "starting with the class-data archive",
                Stream.concat(
                        Stream.of("-Xshare:on", "@" + ImagePaths.ARGUMENTS, recipe.mainClass()),
                        Stream.concat(recipe.arguments().stream(), Stream.of("--version"))));
    }

    private void run(String what, Stream<String> arguments) throws IOException, InterruptedException {
        var process = new ProcessBuilder(system.command(Stream.concat(Stream.of(java()), arguments)))
                .directory(home.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new ImageRefusedException(what + " failed: " + output.strip());
        }
    }

    private String java() {
        return home.resolve(ImagePaths.RUNTIME).resolve("bin/java").toString();
    }
}
