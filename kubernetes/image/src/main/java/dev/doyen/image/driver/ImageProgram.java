package dev.doyen.image.driver;

import dev.doyen.image.Program;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code ./dev image}, which builds container images. */
@Command(
        name = "./dev image",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = {
            "Builds container images without a container engine. An image is an OCI image layout in a tar file, by"
                    + " default for the processor architecture of this machine. It contains the needed modules of a JDK"
                    + " and the C library.",
        },
        footerHeading = "%n",
        footer = {
            "SOURCE_DATE_EPOCH is the time of all files; ./dev uses the time of the last commit. SOURCE_REVISION is the"
                    + " hash of the commit in the labels; ./dev uses the last commit.",
            "Exit code: 0 built, 1 cannot be built here, 2 wrong usage.",
        })
public final class ImageProgram implements Callable<Integer> {

    private static final double MEGA = 1e6;

    @Parameters(
            arity = "0..*",
            paramLabel = "PROGRAM",
            description = "elector, hub, injector, ring or doyen. Default: all")
    private List<Program> programs = List.of();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "The directory of the output. Default: ${DEFAULT-VALUE}")
    private Path output = Path.of("target/image");

    @Option(
            names = "--system",
            paramLabel = "DIR",
            description = {
                "The image contains the JDK and the C library of this folder, which contains the unpacked Debian"
                        + " packages of libc6, of the other libraries that Java needs, and of the JDK, for amd64 or"
                        + " arm64. The JDK must have the same version as the running JDK. For another architecture, the"
                        + " build runs Java in the emulator qemu-user-static. If several folders are given, builds an"
                        + " image for each. Default: this machine"
            })
    private List<Path> systems = List.of();

    private ImageProgram() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ImageProgram())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((fault, command, parsed) -> {
                    if (!(fault instanceof ImageRefusedException)) {
                        throw fault;
                    }
                    command.getErr().println("image: " + fault.getMessage());
                    return 1;
                })
                .execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        var selected = programs.isEmpty() ? List.of(Program.values()) : programs;
        var targets = systems.isEmpty()
                ? List.of(TargetSystem.here())
                : systems.stream().map(TargetSystem::in).toList();
        for (var target : targets) {
            for (var program : selected) {
                var made = new ImageBuild(Path.of(""), output, time(), revision(), target).make(program);
                System.out.printf(
                        Locale.ROOT,
                        "%s: %.1f MB, unpacked %.1f MB%n",
                        made.tar(),
                        made.size().compressed() / MEGA,
                        made.size().uncompressed() / MEGA);
            }
        }
        return 0;
    }

    private static String revision() {
        var revision = System.getenv().getOrDefault("SOURCE_REVISION", "");
        if (!revision.matches("([0-9a-f]{40})?")) {
            throw new ImageRefusedException(
                    "SOURCE_REVISION is \"" + revision + "\"; it must be the hash of a commit, 40 hexadecimal digits");
        }
        return revision;
    }

    /** Returns the time of all files, from SOURCE_DATE_EPOCH. */
    static Instant time() {
        var seconds = System.getenv().getOrDefault("SOURCE_DATE_EPOCH", "0");
        if (!seconds.matches("[0-9]{1,11}")) {
            throw new ImageRefusedException("SOURCE_DATE_EPOCH is \"" + seconds + "\"; it must be seconds since 1970");
        }
        return Instant.ofEpochSecond(Long.parseLong(seconds));
    }
}
