package dev.doyen.cli.run.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.process.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the watchdog's shell script on real processes. */
@Timeout(180)
final class WatchdogTest {

    private static final String MARK =
            "DOYEN_RUN_guardtest" + ProcessHandle.current().pid();

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void kills_the_command_at_its_deadline_and_reports_it() throws Exception {
        var command = command(false);
        try (var watchdog = watchdog()) {
            watchdog.watchdog(command.pid(), Duration.ofMillis(300));

            assertThat(command.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(command.exitValue()).isEqualTo(137);
            assertThat(watchdog.hasFired()).isTrue();
            watchdog.reset();
            assertThat(watchdog.hasFired()).isFalse();
        }
    }

    @Test
    void each_line_postpones_the_deadline() throws Exception {
        var first = command(false);
        var second = command(false);
        try (var watchdog = watchdog()) {
            watchdog.watchdog(first.pid(), Duration.ofMillis(200));
            watchdog.watchdog(first.pid(), Duration.ofMinutes(10));
            try (var other = watchdog()) {
                other.watchdog(second.pid(), Duration.ofSeconds(1));

                assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(first.isAlive()).isTrue();
            assertThat(watchdog.hasFired()).isFalse();
        }
    }

    @Test
    void kills_the_command_when_the_pipe_ends_and_deletes_the_state_file() throws Exception {
        var command = command(false);
        var directory = Files.createDirectory(folder.resolve("run"));
        Files.writeString(directory.resolve("state"), "x");
        Set<ProcessHandle> before = children();
        var watchdog = Watchdog.start(path(), MARK, directory).orElseThrow();
        ProcessHandle process = childSince(before);
        watchdog.watchdog(command.pid(), Duration.ofMinutes(10));
        watchdog.close();

        assertThat(command.waitFor(60, TimeUnit.SECONDS)).isTrue();
        process.onExit().get(60, TimeUnit.SECONDS);
        assertThat(directory).doesNotExist();
    }

    @Test
    void kills_marked_processes_that_it_never_received() throws Exception {
        var command = command(true);
        watchdog().close();

        assertThat(command.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(command.exitValue()).isEqualTo(137);
    }

    @Test
    void a_released_command_is_not_killed() throws Exception {
        var command = command(false);
        Set<ProcessHandle> before = children();
        Watchdog watchdog = watchdog();
        ProcessHandle process = childSince(before);
        watchdog.watchdog(command.pid(), Duration.ofMillis(500));
        watchdog.release();
        watchdog.close();
        process.onExit().get(60, TimeUnit.SECONDS);

        assertThat(command.isAlive()).isTrue();
        assertThat(watchdog.hasFired()).isFalse();
    }

    private static Set<ProcessHandle> children() {
        return ProcessHandle.current().children().collect(Collectors.toSet());
    }

    /**
     * Returns the child process that is not in {@code before}. The method does not search by name, because a new
     * process does not have the name of its program at once.
     */
    private static ProcessHandle childSince(Set<ProcessHandle> before) {
        return children().stream()
                .filter(child -> !before.contains(child))
                .findFirst()
                .orElseThrow();
    }

    private Watchdog watchdog() {
        return Watchdog.start(path(), MARK, folder.resolve("none")).orElseThrow();
    }

    private Process command(boolean marked) throws IOException {
        var builder = new ProcessBuilder("setsid", "sleep", "1000");
        if (marked) {
            builder.environment().put(MARK, "1");
        }
        var process = builder.start();
        started.add(process);
        return process;
    }

    private static SearchPath path() {
        return new SearchPath(Optional.ofNullable(System.getenv("PATH")));
    }
}
