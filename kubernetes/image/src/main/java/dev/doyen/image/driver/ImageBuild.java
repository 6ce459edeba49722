package dev.doyen.image.driver;

import dev.doyen.image.ImagePaths;
import dev.doyen.image.Jars;
import dev.doyen.image.JvmArguments;
import dev.doyen.image.Layer;
import dev.doyen.image.OciDocuments;
import dev.doyen.image.Program;
import dev.doyen.image.Recipe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Builds an image.
 *
 * <p>The build creates the image's root in a folder, runs the rehearsal in this folder, and writes the tar.
 *
 * <p>Threads: one. Errors: the build throws {@link ImageRefusedException} if the image cannot be built on this machine.
 */
final class ImageBuild {

    private static final int JAVA = Runtime.version().feature();
    /** The jars that Maven builds beside the jar of a program. */
    private static final Pattern OTHER_JAR = Pattern.compile("-(sources|javadoc|tests)\\.jar$");

    private final Path checkout;
    private final Path output;
    private final Instant time;
    private final String revision;
    private final TargetSystem system;

    /**
     * @param output the folder for the tar
     * @param time the modification time of all files
     * @param revision the hash of the commit; empty if it is unknown
     * @param system the system whose JDK and C library the image contains
     */
    ImageBuild(Path checkout, Path output, Instant time, String revision, TargetSystem system) {
        this.checkout = checkout.toAbsolutePath().normalize();
        this.output = output.toAbsolutePath().normalize();
        this.time = time;
        this.revision = revision;
        this.system = system;
    }

    /**
     * A finished image.
     *
     * @param root the folder with the image's root
     * @param files the files of the root that are in the tar
     */
    record Made(OciDocuments.About about, Path root, List<Layer.Entry> files, Path tar, ImageTar.Written size) {}

    Made make(Program program) throws Exception {
        var recipe = program.recipe();
        var jar = builtJar(recipe);
        var version = version(recipe, jar);
        var scratch = output.resolve(recipe.imageName());
        delete(scratch);
        var root = Files.createDirectories(scratch.resolve("root"));
        var home = root.resolve(ImagePaths.HOME);

        var jars = jars(recipe, jar);
        MergedJar.write(jars, Files.createDirectories(home).resolve(ImagePaths.JAR));
        var modules = JavaTools.modules(home.resolve(ImagePaths.JAR), recipe.modulesLeftOut());
        linkRuntime(recipe, modules, system, home);
        Files.writeString(home.resolve(ImagePaths.JARS), Checksums.of(jars));
        SystemFiles.copy(system, root, home.resolve(ImagePaths.RUNTIME));
        Files.writeString(home.resolve(ImagePaths.ARGUMENTS), JvmArguments.file(recipe, JAVA));
        // The modification times are set before the archive is created, because the JVM compares the jar's modification
        // time with the time in the archive.
        var files = tidy(root);

        var rehearsed = system.runsHere() ? home : homeOfThisMachine(recipe, modules, home, scratch);
        var classes = ClassArchive.ofImage(rehearsed, scratch, TargetSystem.here())
                .rehearse(
                        recipe.imageName(), start(recipe), java -> new Rehearsal(rehearsed, scratch, java).of(program));
        var archive = ClassArchive.ofImage(home, scratch, system);
        archive.make(classes);
        archive.check(start(recipe));
        files.add(new Layer.Entry(ImagePaths.HOME + "/" + ImagePaths.ARCHIVE, false, false));

        var about = new OciDocuments.About(recipe, version, system.architecture(), time, revision);
        var tar = output.resolve(recipe.imageName() + "-" + version + "-" + about.architecture() + ".tar");
        var size = new ImageTar(root, scratch, time).write(about, files, tar);
        return new Made(about, root, files, tar, size);
    }

    private static void linkRuntime(Recipe recipe, SortedSet<String> modules, TargetSystem system, Path home)
            throws IOException {
        var runtime = Files.createDirectories(home).resolve(ImagePaths.RUNTIME);
        JavaTools.link(
                modules,
                system.isHere() ? Optional.empty() : Optional.of(system.jdk().resolve("jmods")),
                runtime);
        if (recipe.trustsOnlyClusters()) {
            hidePublicAuthorities(runtime);
        }
    }

    /**
     * Returns a working directory with the same program and the Java of this machine.
     *
     * <p>An emulated program would exceed the time limits of a rehearsal. The recorded classes do not depend on the
     * architecture.
     */
    private static Path homeOfThisMachine(Recipe recipe, SortedSet<String> modules, Path home, Path scratch)
            throws IOException {
        var here = scratch.resolve("rehearsal");
        linkRuntime(recipe, modules, TargetSystem.here(), here);
        for (var file : List.of(ImagePaths.JAR, ImagePaths.ARGUMENTS)) {
            Files.copy(home.resolve(file), here.resolve(file));
        }
        return here;
    }

    /** Returns the main class and the arguments that precede the arguments of the pod. */
    static List<String> start(Recipe recipe) {
        return Stream.concat(Stream.of(recipe.mainClass()), recipe.arguments().stream())
                .toList();
    }

    private Path builtJar(Recipe recipe) throws IOException {
        var folder = checkout.resolve(recipe.module()).resolve("target");
        if (Files.isDirectory(folder)) {
            try (var found = Files.newDirectoryStream(folder, recipe.artifact() + "-[0-9]*.jar")) {
                for (var jar : found) {
                    if (!OTHER_JAR.matcher(jar.toString()).find()) {
                        return jar;
                    }
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        }
        throw new ImageRefusedException("there is no " + recipe.artifact() + " jar in " + folder
                + "; build it: mvn -pl " + recipe.module() + " -am package");
    }

    private static String version(Recipe recipe, Path jar) {
        var name = jar.getFileName().toString();
        return name.substring(recipe.artifact().length() + 1, name.length() - ".jar".length());
    }

    /** Returns the program's jar and its libraries. The program's jar comes first in the list. */
    private static List<Path> jars(Recipe recipe, Path jar) throws IOException {
        List<Path> jars = new ArrayList<>(List.of(jar));
        for (var name : Jars.needed(recipe, classPath(jar))) {
            jars.add(jar.resolveSibling("lib").resolve(name));
        }
        return jars;
    }

    /**
     * Renames the file with the public certificate authorities.
     *
     * <p>Java reads all certificates of the file {@code cacerts} at the first check of a certificate, even if the
     * program trusts other authorities. This takes a tenth of the processor time until an elector leads. Java reads the
     * file {@code jssecacerts} only if the program trusts the public authorities. Without {@code cacerts}, Java does
     * not apply its stricter rules to the certificates of public authorities.
     */
    private static void hidePublicAuthorities(Path runtime) throws IOException {
        var file = runtime.resolve("lib/security/cacerts");
        Files.move(file, file.resolveSibling("jssecacerts"));
    }

    /** Returns the file names of the jars in the manifest's class path. */
    private static List<String> classPath(Path jar) throws IOException {
        try (var file = new JarFile(jar.toFile())) {
            var named = Optional.ofNullable(file.getManifest())
                    .map(manifest -> manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH))
                    .orElse("");
            return Arrays.stream(named.split(" "))
                    .filter(each -> !each.isEmpty())
                    .map(each -> each.substring(each.lastIndexOf('/') + 1))
                    .toList();
        }
    }

    /** Sets the modification time of all files, and lists the files. A link is listed as a file. */
    private List<Layer.Entry> tidy(Path root) throws IOException {
        List<Layer.Entry> entries = new ArrayList<>();
        try (var files = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(time));
                entries.add(new Layer.Entry(root.relativize(file).toString(), false, Files.isExecutable(file)));
            }
        }
        return entries;
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
