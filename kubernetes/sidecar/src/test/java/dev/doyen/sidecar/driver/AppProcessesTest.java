package dev.doyen.sidecar.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link AppProcesses} with real processes. */
@Timeout(180)
final class AppProcessesTest {

    private static final Path OWN_FILES = Path.of("/proc/self/fd");
    private static final int CHECKS = 2_000;

    @TempDir
    private Path folder;

    private Process app;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Files.isReadable(Path.of("/proc/self/stat")), "SKIPPED: no /proc on this machine");
        // In /proc/PID/stat, ")" and the state follow the name. This name itself contains ") Z", where Z is the state
        // of a zombie.
        var program = Files.copy(Path.of("/bin/sleep"), folder.resolve("a) Z (b"));
        app = new ProcessBuilder(program.toString(), "99").start();
    }

    @AfterEach
    void end() {
        app.destroyForcibly();
    }

    @Test
    void a_process_is_found_until_it_ends_with_one_open_file() throws Exception {
        var file = Files.writeString(folder.resolve("pid"), app.pid() + "\n");
        var processes = AppProcesses.ofPidFile(file);
        assertThat(processes.running()).hasSize(1);
        long before = openFiles();
        for (int check = 0; check < CHECKS; check++) {
            assertThat(processes.running()).hasSize(1);
        }
        assertThat(openFiles()).isLessThan(before + 20);

        app.destroyForcibly();
        assertThat(app.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(processes.running()).isEmpty();
    }

    @Test
    void another_process_of_the_app_is_found_at_once() throws Exception {
        var file = Files.writeString(folder.resolve("pid"), app.pid() + "\n");
        var processes = AppProcesses.ofPidFile(file);
        assertThat(processes.running()).hasSize(1);
        var next = new ProcessBuilder("sleep", "99").start();
        try {
            Files.writeString(file, next.pid() + "\n");
            app.destroyForcibly();
            assertThat(app.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(processes.running()).extracting(each -> each.pid()).containsExactly(next.pid());
        } finally {
            next.destroyForcibly();
        }
    }

    @Test
    void a_zombie_process_has_ended() throws Exception {
        var program = Files.copy(Path.of("/bin/sleep"), folder.resolve("a) S (b"));
        // A shell could collect the exit status of its child, and the zombie would disappear. So the shell replaces
        // itself by cat, which collects no exit status. When cat returns the text "cat?", it has replaced the shell.
        var parent = new ProcessBuilder("sh", "-c", "\"$0\" 99 & echo $!; exec cat", program.toString()).start();
        try (var output = parent.inputReader();
                var input = parent.outputWriter()) {
            long pid = Long.parseLong(output.readLine());
            input.write("cat?\n");
            input.flush();
            assertThat(output.readLine()).isEqualTo("cat?");
            var processes = AppProcesses.ofPidFile(Files.writeString(folder.resolve("pid"), pid + "\n"));
            assertThat(processes.running()).hasSize(1);
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!processes.running().isEmpty()) {
                assertThat(until - System.nanoTime()).isPositive();
            }
            assertThat(Path.of("/proc/" + pid))
                    .as("the zombie is still in /proc")
                    .exists();
        } finally {
            parent.destroyForcibly();
        }
    }

    private static long openFiles() throws IOException {
        try (var files = Files.list(OWN_FILES)) {
            return files.count();
        }
    }
}
