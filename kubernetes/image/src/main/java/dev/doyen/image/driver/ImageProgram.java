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
            "Builds container images without a container engine. An image is an OCI image layout in a tar file, for the"
                    + " processor architecture of this machine. It contains the needed modules of the running JDK, and"
                    + " the C library of this machine.",
        },
        footerHeading = "%n",
        footer = {
            "SOURCE_DATE_EPOCH is the time of all files; ./dev uses the time of the last commit.",
            "Exit code: 0 built, 1 cannot be built here, 2 wrong usage.",
        })
public final class ImageProgram implements Callable<Integer> {

    private static final double MEGA = 1e6;

    @Parameters(arity = "0..*", paramLabel = "PROGRAM", description = "elector, hub, injector or ring. Default: all")
    private List<Program> programs = List.of();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "The directory of the output. Default: ${DEFAULT-VALUE}")
    private Path output = Path.of("target/image");

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
        for (var program : selected) {
            var made = new ImageBuild(Path.of(""), output, time()).make(program);
            System.out.printf(
                    Locale.ROOT,
                    "%s: %.1f MB, unpacked %.1f MB%n",
                    made.tar(),
                    made.size().compressed() / MEGA,
                    made.size().uncompressed() / MEGA);
        }
        return 0;
    }

    private static Instant time() {
        var seconds = System.getenv().getOrDefault("SOURCE_DATE_EPOCH", "0");
        if (!seconds.matches("[0-9]{1,11}")) {
            throw new ImageRefusedException("SOURCE_DATE_EPOCH is \"" + seconds + "\"; it must be seconds since 1970");
        }
        return Instant.ofEpochSecond(Long.parseLong(seconds));
    }
}
