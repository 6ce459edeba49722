package dev.doyen.image.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command of release/program.sh that adds Java to the folder of the program {@code doyen}. */
@Command(
        name = "bundle",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = {
            "Adds Java to HOME, which contains bin/doyen, doyen.jar, and the folder lib with the other jars."
                    + " HOME/runtime contains the needed modules of the running JDK. HOME/classes.jsa is a class-data"
                    + " archive. HOME/doyen.jar then contains all jars, because Java opens every jar when it starts.",
        },
        footerHeading = "%n",
        footer = {
            "SOURCE_DATE_EPOCH is the time of HOME/doyen.jar.",
            "Exit code: 0 added, 1 cannot be added here, 2 wrong usage.",
        })
public final class BundleProgram implements Callable<Integer> {

    private static final String RUNTIME = "runtime";
    private static final String PROGRAM = "doyen.jar";
    private static final String LIBRARIES = "lib";

    /** Only classes that the program does not use refer to this module: those for beans, images and charts. */
    private static final Set<String> MODULES_LEFT_OUT = Set.of("java.desktop");

    @Parameters(paramLabel = "HOME", description = "The folder of the program.")
    private Path home = Path.of("");

    @Option(
            names = "--jmods",
            paramLabel = "DIR",
            description = "The folder with the modules of the same Java version for another processor architecture."
                    + " Without them, HOME gets the modules of the running JDK. With them, HOME gets no class-data"
                    + " archive, because only the Java of that architecture can create it.")
    private Optional<Path> jmods = Optional.empty();

    private BundleProgram() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new BundleProgram()).setExecutionExceptionHandler((fault, command, parsed) -> {
            if (!(fault instanceof ImageRefusedException)) {
                throw fault;
            }
            command.getErr().println("bundle: " + fault.getMessage());
            return 1;
        });
    }

    @Override
    public Integer call() throws Exception {
        var folder = home.toAbsolutePath().normalize();
        var scratch = Files.createTempDirectory("doyen-bundle");
        var merged = scratch.resolve(PROGRAM);
        MergedJar.write(jars(folder), merged);
        // jdeps rejects the single jars, because two of them contain the same package as modules.
        JavaTools.link(JavaTools.modules(merged, MODULES_LEFT_OUT), jmods, folder.resolve(RUNTIME));
        var program = Files.move(merged, folder.resolve(PROGRAM), StandardCopyOption.REPLACE_EXISTING);
        // The JVM compares the modification time with the time in the archive.
        Files.setLastModifiedTime(program, FileTime.from(ImageProgram.time()));
        ImageBuild.delete(folder.resolve(LIBRARIES));
        if (jmods.isEmpty()) {
            archive(folder, scratch);
        }
        ImageBuild.delete(scratch);
        return 0;
    }

    private static List<Path> jars(Path folder) throws IOException {
        var program = folder.resolve(PROGRAM);
        var libraries = folder.resolve(LIBRARIES);
        if (!Files.isRegularFile(program) || !Files.isDirectory(libraries)) {
            throw new ImageRefusedException(folder + " does not contain doyen.jar and the folder lib; give the folder"
                    + " into which release/program.sh has copied the program");
        }
        try (var files = Files.list(libraries)) {
            return Stream.concat(
                            Stream.of(program),
                            files.filter(file -> file.toString().endsWith(".jar"))
                                    .sorted())
                    .toList();
        }
    }

    /**
     * Creates the archive.
     *
     * <p>The list of classes is sorted, because the order in which threads load classes differs between two runs.
     */
    private static void archive(Path folder, Path scratch) throws Exception {
        var archive = new ClassArchive(folder, scratch, options -> command(folder, options));
        var classes = new TreeSet<String>();
        for (var each : CommandRehearsal.COMMANDS) {
            classes.addAll(archive.rehearse(
                    each, List.of(each), command -> new CommandRehearsal(folder, scratch, command).play(each)));
        }
        classes.addAll(
                archive.rehearse("hub", List.of("hub"), command -> new HubRehearsal(folder, scratch, command).play()));
        archive.make(List.copyOf(classes));
        archive.check(List.of());
    }

    /** Returns the command that starts the program's script with these JVM options. The script names the archive. */
    private static List<String> command(Path folder, List<String> options) {
        return List.of(
                "env",
                "DOYEN_JAVA_OPTIONS=" + String.join(" ", options),
                folder.resolve("bin/doyen").toString());
    }
}
