package dev.doyen.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.server.RawWebSocket;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in a process of its own. */
final class DoyenProcessTest {

    @TempDir
    private Path folder;

    @Test
    void sigterm_tells_clients_and_exits_with_0() throws Exception {
        var command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Doyen.class.getName(),
                        "demo",
                        "--port",
                        "0",
                        "--elector-port",
                        "0",
                        "--probe-port",
                        "0",
                        "--data",
                        folder.toString())
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
            assertThat(process.waitFor(5, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(folder.resolve("stderr")).hasContent("");
        } finally {
            process.destroyForcibly();
        }
    }

    private static int portOfPage(BufferedReader out) throws Exception {
        var page = Pattern.compile("page and hub +http://localhost:([0-9]+)/");
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            var matcher = page.matcher(line);
            if (matcher.find()) {
                return Integer.parseInt(matcher.group(1));
            }
        }
        throw new IllegalStateException("the program ended without naming its page");
    }
}
