package dev.doyen.image.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the charts that {@code release/charts.sh} packages. Helm itself reads the packages. */
class ChartPackageTest {

    private static final Path CHECKOUT = Path.of("../..").toAbsolutePath().normalize();
    private static final List<String> CHARTS = List.of("doyen-elector", "doyen-hub");

    /** A run of the script. */
    private record Run(int exitCode, String output) {}

    @BeforeEach
    void assume_that_the_script_can_run() {
        if (!Files.isDirectory(CHECKOUT.resolve("node_modules/yaml"))) {
            var message = "the packages of the charts: the npm packages are not installed; run npm ci";
            System.out.println("SKIPPED: " + message);
            Assumptions.abort(message);
        }
    }

    @Test
    void helm_renders_the_packages_as_it_renders_the_folders(@TempDir Path folder) throws Exception {
        var version = version();
        var made = run(folder, version);
        assertThat(made.exitCode()).as(made.output()).isZero();

        for (var chart : CHARTS) {
            var value = chart.equals("doyen-hub") ? "secretName" : "fullnameOverride";
            assertThat(render(folder.resolve("charts/" + chart + "-" + version + ".tgz"), value))
                    .contains("kind: Service")
                    .isEqualTo(render(CHECKOUT.resolve("kubernetes/helm").resolve(chart), value));
        }
    }

    @Test
    void two_packages_of_the_same_files_are_equal(@TempDir Path one, @TempDir Path two) throws Exception {
        var version = version();
        assertThat(run(one, version).exitCode()).isZero();
        assertThat(run(two, version).exitCode()).isZero();

        try (var files = Files.walk(one)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                assertThat(two.resolve(one.relativize(file))).hasSameBinaryContentAs(file);
            }
        }
    }

    @Test
    void a_chart_of_another_version_is_rejected(@TempDir Path folder) throws Exception {
        assertThat(run(folder, "9.8.7").output())
                .contains("Chart.yaml has the version " + version()
                        + " instead of 9.8.7; set it with release/version.sh");
    }

    private static String render(Path chart, String value) {
        return new Helm(chart)
                .template()
                .withKubeVersion("1.36.0")
                .withName("doyen")
                .set(value, "a")
                .call();
    }

    private static Run run(Path folder, String version) throws Exception {
        var builder = new ProcessBuilder("release/charts.sh", ".", version, folder.toString())
                .directory(CHECKOUT.toFile())
                .redirectErrorStream(true);
        builder.environment().put("SOURCE_DATE_EPOCH", "1764374400");
        var process = builder.start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), output);
    }

    /** Returns the version that is written in the charts. */
    private static String version() throws Exception {
        return Files.readAllLines(CHECKOUT.resolve("kubernetes/helm/doyen-hub/Chart.yaml")).stream()
                .filter(line -> line.startsWith("version: "))
                .map(line -> line.substring("version: ".length()))
                .findFirst()
                .orElseThrow();
    }
}
