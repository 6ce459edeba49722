package dev.doyen.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tlc2.TLC;

/**
 * Checks the specs of docs/spec/tla with TLC.
 *
 * <p>TLC must accept each correct spec, and must find a violation in each spec with a deliberately broken rule. Each
 * check runs in a separate JVM. The number of JVMs at a time is the number of cores of the computer.
 *
 * <p>A check of all specs takes minutes, and its result depends only on the files. {@code checked.txt} contains the
 * hashes of the checked files. So the test checks only the specs whose hash is not listed. It also checks
 * {@link #ALWAYS} in each run. {@code -Dspecs=all} checks all specs.
 */
@Execution(ExecutionMode.CONCURRENT)
class SpecsTest {

    private static final Path SPECS = Path.of("..", "..", "docs", "spec", "tla");
    private static final Path CHECKED = SPECS.resolve("checked.txt");
    private static final int PATIENCE_SECONDS = 240;

    /** The name of the spec that is always checked, as a test of TLC itself. */
    private static final String ALWAYS = "Lease-L3-no-wait";

    /** The exit code of TLC if the spec has no violation. */
    private static final int SUCCESS = 0;

    private static final List<Integer> VIOLATIONS = List.of(12, 13);

    @TempDir
    Path scratch;

    static Stream<Path> configs() throws IOException {
        List<String> checked = Files.readAllLines(CHECKED, StandardCharsets.UTF_8);
        boolean all = System.getProperty("specs", "").equals("all");
        List<Path> due = new ArrayList<>();
        for (Path config : allConfigs()) {
            if (all || nameOf(config).equals(ALWAYS) || !checked.contains(lineOf(config))) {
                due.add(config);
            }
        }
        return due.stream();
    }

    @Test
    void the_checked_specifications_are_the_current_ones() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path config : allConfigs()) {
            lines.add(lineOf(config));
        }
        assertThat(Files.readAllLines(CHECKED, StandardCharsets.UTF_8))
                .as("the specs are checked; otherwise run this test with -Dspecs=all and update checked.txt")
                .isEqualTo(lines);
    }

    private static List<Path> allConfigs() throws IOException {
        try (Stream<Path> all = Files.list(SPECS)) {
            return all.filter(file -> file.toString().endsWith(".cfg")).sorted().toList();
        }
    }

    private static String nameOf(Path config) {
        return config.getFileName().toString().replace(".cfg", "");
    }

    private static String moduleOf(Path config) {
        return nameOf(config).replaceFirst("-.*", "");
    }

    /** Returns a line with the hash of the module and the config, and the config's name. */
    private static String lineOf(Path config) throws IOException {
        try {
            var sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(Files.readAllBytes(SPECS.resolve(moduleOf(config) + ".tla")));
            sha256.update(Files.readAllBytes(config));
            return HexFormat.of().formatHex(sha256.digest()) + "  " + nameOf(config);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("configs")
    void a_spec_holds_and_a_broken_one_does_not(Path config)
            throws IOException, InterruptedException, URISyntaxException {
        String name = nameOf(config);
        String module = moduleOf(config);
        Path output = scratch.resolve("output");

        int code = tlc(config, module, output);

        String text = Files.readString(output, StandardCharsets.UTF_8);
        if (name.equals(module)) {
            assertThat(code).as(text).isEqualTo(SUCCESS);
            assertThat(text).contains("No error has been found", "distinct states found");
        } else {
            assertThat(code).as(text).isIn(VIOLATIONS);
            assertThat(text).contains("is violated");
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
                        // TLC unpacks its modules into this folder. Without a separate folder, TLC could read files
                        // that another TLC process is writing.
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
