package dev.doyen.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.client.state.Role;
import dev.doyen.testkit.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests two real sidecar processes with a client for each. */
class RealElectorTest {

    @TempDir
    private Path directory;

    @Test
    void after_its_sidecar_is_killed_the_former_leader_does_not_lead() throws Exception {
        try (ServerProcess first = sidecar("pod-1");
                LeaderWatch one = elector(first, "pod-1").watch()) {
            var statesOfOne = new RecordedStates();
            one.listen(statesOfOne);
            assertThat(statesOfOne.until(Role.LEADING).term()).isEqualTo(OptionalLong.of(1));
            assertThat(elector(first, "pod-1").isLeader()).isTrue();
            assertThat(elector(first, "pod-1").ask().term()).isEqualTo(OptionalLong.of(1));
            assertThat(Elector.at(url(first)).name("pod-1").build().ask().term())
                    .isEqualTo(OptionalLong.of(1));
            theTenLinesOfTheReadmeRunBeside(first);
            try (ServerProcess second = sidecar("pod-2");
                    LeaderWatch two = elector(second, "pod-2").watch();
                    LeaderWatch plain =
                            Elector.at(url(second)).name("pod-2").build().watch()) {
                var statesOfTwo = new RecordedStates();
                var statesOfPlain = new RecordedStates();
                two.listen(statesOfTwo);
                plain.listen(statesOfPlain);
                assertThat(statesOfTwo.until(each -> each.leader().isPresent()).role())
                        .isEqualTo(Role.FOLLOWING);
                statesOfPlain.until(
                        each -> each.leader().filter("pod-1"::equals).isPresent());

                first.kill();

                statesOfOne.until(Role.UNKNOWN);
                assertThat(one.isLeader()).isFalse();
                assertThat(statesOfTwo.until(Role.LEADING).term()).isEqualTo(OptionalLong.of(2));
                assertThat(one.isLeader()).isFalse();
                statesOfPlain.until(Role.LEADING);
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
        try (var reader = app.inputReader()) {
            var lines = new ArrayList<String>();
            do {
                lines.add(reader.readLine());
            } while (!lines.contains("LEADING: pod-1") && !lines.contains(null));
            assertThat(lines).contains("LEADING: pod-1");
            // On a busy machine the only request can end by its timeout, and the client logs a warning.
            boolean timedOut = lines.stream().anyMatch(line -> line.startsWith("WARNING"));
            assertThat(lines).contains(timedOut ? "I do not lead" : "I lead");
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
