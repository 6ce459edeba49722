package dev.doyen.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tlc2.TLC;

/**
 * The specs of docs/spec/tla, checked by TLC: green as they are, red with any rule broken. TLC runs in a JVM of its own for
 * each, as many at a time as there are cores.
 */
@Execution(ExecutionMode.CONCURRENT)
class SpecsTest {

    private static final Path SPECS = Path.of("..", "docs", "spec", "tla");
    private static final int PATIENCE_SECONDS = 240;

    /** TLC's own exit codes. */
    private static final int SUCCESS = 0;

    private static final List<Integer> VIOLATIONS = List.of(12, 13);

    @TempDir
    Path scratch;

    static Stream<Path> configs() throws IOException {
        try (Stream<Path> all = Files.list(SPECS)) {
            return all.filter(file -> file.toString().endsWith(".cfg")).sorted().toList().stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("configs")
    void a_spec_holds_and_a_broken_one_does_not(Path config)
            throws IOException, InterruptedException, URISyntaxException {
        String name = config.getFileName().toString().replace(".cfg", "");
        String module = name.replaceFirst("-.*", "");
        Path output = scratch.resolve("output");

        int code = tlc(config, module, output);

        String told = Files.readString(output, StandardCharsets.UTF_8);
        if (name.equals(module)) {
            assertThat(code).as(told).isEqualTo(SUCCESS);
            assertThat(told).contains("No error has been found", "distinct states found");
        } else {
            assertThat(code).as(told).isIn(VIOLATIONS);
            assertThat(told).contains("is violated");
        }
    }

    private int tlc(Path config, String module, Path output)
            throws IOException, InterruptedException, URISyntaxException {
        Path jar = Path.of(
                TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseParallelGC",
                        "-Xmx1g",
                        // TLC unpacks its modules there, and would read what another is just writing.
                        "-Djava.io.tmpdir=" + scratch,
                        "-cp",
                        jar.toString(),
                        "tlc2.TLC",
                        "-workers",
                        "1",
                        "-metadir",
                        scratch.resolve("states").toString(),
                        "-config",
                        config.toAbsolutePath().normalize().toString(),
                        SPECS.resolve(module + ".tla")
                                .toAbsolutePath()
                                .normalize()
                                .toString())
                .directory(scratch.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("TLC ends within " + PATIENCE_SECONDS + " s")
                    .isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }
}
