package dev.doyen.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.client.state.Role;
import dev.doyen.testkit.ServerProcess;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two real sidecar processes, with a client for each. */
class RealElectorTest {

    @TempDir
    private Path directory;

    @Test
    void when_the_leaders_sidecar_is_killed_the_other_leads_and_the_first_knows_that_it_does_not() throws Exception {
        try (ServerProcess first = sidecar("pod-1");
                LeaderWatch one = elector(first, "pod-1").watch()) {
            var heardByOne = new Heard();
            one.listen(heardByOne);
            assertThat(heardByOne.until(Role.LEADING).term()).isEqualTo(OptionalLong.of(1));
            assertThat(elector(first, "pod-1").isLeader()).isTrue();
            assertThat(elector(first, "pod-1").ask().term()).isEqualTo(OptionalLong.of(1));
            assertThat(Elector.at(url(first)).name("pod-1").build().ask().term())
                    .isEqualTo(OptionalLong.of(1));
            theTenLinesOfTheReadmeRunBeside(first);
            try (ServerProcess second = sidecar("pod-2");
                    LeaderWatch two = elector(second, "pod-2").watch();
                    LeaderWatch plain =
                            Elector.at(url(second)).name("pod-2").build().watch()) {
                var heardByTwo = new Heard();
                var heardPlainly = new Heard();
                two.listen(heardByTwo);
                plain.listen(heardPlainly);
                assertThat(heardByTwo.until(each -> each.leader().isPresent()).role())
                        .isEqualTo(Role.FOLLOWING);
                heardPlainly.until(each -> each.leader().filter("pod-1"::equals).isPresent());

                first.kill();

                heardByOne.until(Role.UNKNOWN);
                assertThat(one.isLeader()).isFalse();
                assertThat(heardByTwo.until(Role.LEADING).term()).isEqualTo(OptionalLong.of(2));
                assertThat(one.isLeader()).isFalse();
                heardPlainly.until(Role.LEADING);
                assertThat(two.isLeader()).isTrue();
                assertThat(Elector.at(url(first)).name("pod-1").build().isLeader())
                        .isFalse();
            }
        }
    }

    private void theTenLinesOfTheReadmeRunBeside(ServerProcess sidecar) throws Exception {
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Path.of("../../examples/hello/Beside.java").toString())
                .redirectErrorStream(true);
        builder.environment().put("ELECTOR_GET_URL", url(sidecar));
        builder.environment().put("ELECTOR_SSE_URL", "http://" + url(sidecar) + "/sse");
        builder.environment().put("HOSTNAME", "pod-1");
        Process app = builder.start();
        try (var lines = app.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("I lead");
            String line = lines.readLine();
            assertThat(line.startsWith("UNKNOWN") ? lines.readLine() : line).isEqualTo("LEADING: pod-1");
        } finally {
            app.destroyForcibly();
        }
    }

    private static Elector elector(ServerProcess sidecar, String name) {
        return Elector.at(url(sidecar), "app").name(name).build();
    }

    private static String url(ServerProcess sidecar) {
        return "localhost:" + sidecar.port();
    }

    private ServerProcess sidecar(String id) throws Exception {
        return ServerProcess.start(
                directory.resolve(id + ".log"),
                port -> Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.doyen.cli.Doyen",
                                "elector",
                                "--election=app",
                                "--id=" + id,
                                "--store=file:" + directory.resolve("leases"),
                                "--http=localhost:" + port,
                                "--probe-address=localhost:0")
                        .toList());
    }
}
