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

/** {@code ./dev image}: builds container images. */
@Command(
        name = "./dev image",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = {
            "Makes container images, without a container engine: an OCI image layout in a tar file, for this machine's"
                    + " kind of processor. In it are the JDK that runs this, as far as it is needed, and this machine's"
                    + " C library.",
        },
        footerHeading = "%n",
        footer = {
            "SOURCE_DATE_EPOCH is the time that all files bear; ./dev takes that of the last commit.",
            "Exit code: 0 made, 1 cannot be made here, 2 misused.",
        })
public final class ImageProgram implements Callable<Integer> {

    private static final double MEGA = 1e6;

    @Parameters(arity = "0..*", paramLabel = "PROGRAM", description = "elector, injector, ring; all if none is named.")
    private List<Program> programs = List.of();

    @Option(names = "--output", paramLabel = "DIR", description = "Where it is written. Default: ${DEFAULT-VALUE}")
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
        var wanted = programs.isEmpty() ? List.of(Program.values()) : programs;
        for (var program : wanted) {
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
        var said = System.getenv().getOrDefault("SOURCE_DATE_EPOCH", "0");
        if (!said.matches("[0-9]{1,11}")) {
            throw new ImageRefusedException("SOURCE_DATE_EPOCH is \"" + said + "\"; it is to be seconds since 1970");
        }
        return Instant.ofEpochSecond(Long.parseLong(said));
    }
}
