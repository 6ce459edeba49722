package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.RawWebSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests {@code doyen} as a separate process. */
@Execution(ExecutionMode.CONCURRENT)
final class DoyenProcessTest {

    @TempDir
    private Path folder;

    @Test
    void sigterm_makes_clients_reconnect_and_exits_with_0() throws Exception {
        var command = new ProcessBuilder(RunningDoyen.serverCommandLine("demo", folder))
                .redirectError(folder.resolve("stderr").toFile());
        command.environment().remove("DOYEN_KEY");
        var process = command.start();
        try (var out = process.inputReader(StandardCharsets.UTF_8)) {
            var hub = new InetSocketAddress(InetAddress.getLoopbackAddress(), portOfPage(out));
            var key = Files.readString(folder.resolve("key")).strip();
            try (var client = new RawWebSocket(hub, "?key=" + key)) {
                assertThat(client.read().text()).contains("\"action\":4");

                process.destroy();

                assertThat(client.read().text()).contains("\"action\":6", "shutting down");
                assertThat(client.read().closeCode()).isEqualTo(1000);
            }
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(Files.readAllLines(folder.resolve("stderr")))
                    .as("the program reports its drain")
                    .hasSize(2)
                    .first()
                    .asString()
                    .contains("draining: 1 clients are asked to reconnect");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void a_second_sigterm_ends_the_drain() throws Exception {
        var stderr = folder.resolve("stderr");
        var builder = new ProcessBuilder(RunningDoyen.commandLine(
                "demo", "--port=0", "--elector-port=0", "--probe-port=0", "--drain=10m", "--data=" + folder));
        builder.command().addAll(0, List.of("env", "--default-signal=INT,TERM"));
        builder.environment().remove("DOYEN_KEY");
        var process = builder.redirectError(stderr.toFile()).start();
        var clients = new ArrayList<RawWebSocket>();
        try (var out = process.inputReader(StandardCharsets.UTF_8)) {
            var hub = new InetSocketAddress(InetAddress.getLoopbackAddress(), portOfPage(out));
            var key = Files.readString(folder.resolve("key")).strip();
            // The drain takes five seconds for a hundred clients. So the hub notifies the first client long before the
            // last client.
            for (int i = 0; i < 100; i++) {
                clients.add(new RawWebSocket(hub, "?key=" + key));
                assertThat(clients.get(i).read().text()).contains("\"action\":4");
            }
            process.destroy();
            assertThat(next(clients.get(0))).contains("\"action\":6");

            process.destroy();

            assertThat(next(clients.get(99))).contains("\"action\":6", "shutting down");
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(Files.readString(stderr)).contains("draining at once, after a second signal", "drained: 100");
        } finally {
            process.destroyForcibly();
            for (var client : clients) {
                client.close();
            }
        }
    }

    /** Returns the next frame that is not a heartbeat. On a busy machine, the hub sends heartbeats meanwhile. */
    private static String next(RawWebSocket client) throws IOException {
        var text = client.read().text();
        while (text.equals("{\"action\":0}")) {
            text = client.read().text();
        }
        return text;
    }

    private static int portOfPage(BufferedReader out) throws Exception {
        var page = Pattern.compile("page and hub +http://localhost:([0-9]+)/");
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            var matcher = page.matcher(line);
            if (matcher.find()) {
                return Integer.parseInt(matcher.group(1));
            }
        }
        throw new IllegalStateException("the program ended before it printed its address");
    }
}
