package dev.doyen.injector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the exit code of a process that cannot close its program. */
@Timeout(120)
final class LifetimeTest {

    @Test
    void the_exit_code_is_1_if_the_close_throws_an_error() throws Exception {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Unclosable.class.getName())
                .redirectErrorStream(true)
                .start();
        try (var out = process.inputReader()) {
            assertThat(out.lines()).contains("doyen injector: closing failed: java.lang.AssertionError: on purpose");
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
        } finally {
            process.destroyForcibly();
        }
    }

    /** A process that ends at once, and whose close throws an Error. */
    static final class Unclosable {

        private Unclosable() {}

        public static void main(String[] arguments) {
            // The interrupt ends the wait for a signal.
            Thread.currentThread().interrupt();
            Lifetime.serveUntilStopped(() -> {
                throw new AssertionError("on purpose");
            });
            System.exit(0);
        }
    }
}
