package dev.doyen.fence.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs examples/fence with three processes, as docs/guide/fencing.md describes. The test suspends one process with
 * SIGSTOP.
 */
@Timeout(300)
class StaleLeaderExampleTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @TempDir
    Path leases;

    private final List<Running> started = new ArrayList<>();

    @BeforeEach
    void needs_a_system_with_signals() {
        assumeTrue(Files.isExecutable(Path.of("/bin/kill")), "SKIPPED: no /bin/kill on this machine");
    }

    @AfterEach
    void end() {
        started.forEach(each -> each.process.destroyForcibly());
    }

    @Test
    void the_writes_of_a_leader_after_a_freeze_are_rejected() throws Exception {
        Running ledger = run("Ledger.java");
        String url = ledger.awaitLine("http://localhost:\\d+/ledger");
        String store = "file:" + leases;

        Running a = run("Bookkeeper.java", "a", store, url);
        long one = termIn(a.awaitLine("a leads in term \\d+"));
        a.type("first entry");
        a.awaitLine("a in term " + one + ": written");

        Running b = run("Bookkeeper.java", "b", store, url);
        signal("-STOP", a);
        long two = termIn(b.awaitLine("b leads in term \\d+"));
        assertThat(two).isGreaterThan(one);
        b.type("second entry");
        b.awaitLine("b in term " + two + ": written");

        a.type("third entry");
        signal("-CONT", a);
        a.awaitLine("a in term " + one + ": REFUSED: fence " + one + " < " + two);
        ledger.awaitLine("first entry");
        ledger.awaitLine("second entry");
        b.type("fourth entry");
        b.awaitLine("b in term " + two + ": written");
        ledger.awaitLine("fourth entry");
    }

    private static long termIn(String line) {
        return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    }

    private static void signal(String signal, Running to) throws Exception {
        Process kill = new ProcessBuilder("/bin/kill", signal, Long.toString(to.process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    private Running run(String example, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                ROOT.resolve("lease/core/target/classes").toString(),
                ROOT.resolve("examples/fence").resolve(example).toString()));
        command.addAll(List.of(arguments));
        var running = new Running(
                new ProcessBuilder(command).redirectErrorStream(true).start());
        started.add(running);
        return running;
    }

    /** A process whose output a separate thread reads. */
    private static final class Running {
        private final Process process;
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        Running(Process process) {
            this.process = process;
            var reader = new Thread(() -> {
                try (var out =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                    out.lines().forEach(lines::add);
                } catch (IOException e) {
                    lines.add(e.toString());
                }
            });
            reader.setDaemon(true);
            reader.start();
        }

        /** Returns the next line that matches the pattern. Other lines of the process are skipped. */
        String awaitLine(String pattern) throws InterruptedException {
            List<String> skipped = new ArrayList<>();
            while (true) {
                String line = lines.poll(90, TimeUnit.SECONDS);
                assertThat(line)
                        .as("a line that matches \"" + pattern + "\" follows " + skipped)
                        .isNotNull();
                if (line.matches(pattern)) {
                    return line;
                }
                skipped.add(line);
            }
        }

        void type(String text) throws IOException {
            process.getOutputStream().write((text + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        }
    }
}
