package dev.doyen.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MemoryTest {

    private static final List<String> LINES =
            List.of("Rss:   3000 kB", "Pss_Dirty:   7 kB", "Pss:                1500 kB", "Pss_Anon: 9 kB");

    @Test
    void a_value_is_found_by_its_full_name_in_units_of_1024_bytes() {
        assertThat(Memory.bytes(LINES, "Pss:")).isEqualTo(1_500 * 1_024);
    }

    @Test
    void a_missing_value_is_an_error_and_not_zero() {
        assertThatThrownBy(() -> Memory.bytes(LINES, "Swap:")).hasMessage("Linux does not report Swap:");
    }

    @Test
    void the_proportional_memory_is_at_most_the_resident_memory() throws Exception {
        ProcessHandle self = ProcessHandle.current();

        // Every JVM needs at least 10 MB. The test measures the resident memory after the proportional memory. The
        // memory can change in between, so the upper bound has a margin.
        assertThat(Memory.proportional(List.of(self))).isBetween(10_000_000L, Memory.resident(self) + 50_000_000L);
    }

    @Test
    @Timeout(60)
    void a_process_that_has_ended_needs_no_memory() throws Exception {
        // The shell starts a child and then becomes the program cat, which does not wait for the child. So the ended
        // child stays in the process table.
        Process parent = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec cat").start();
        try (BufferedReader output = parent.inputReader();
                BufferedWriter input = parent.outputWriter()) {
            ProcessHandle child =
                    ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
            input.write("cat runs\n");
            input.flush();
            assertThat(output.readLine()).isEqualTo("cat runs");
            child.destroyForcibly();
            while (!Files.readString(Path.of("/proc", Long.toString(child.pid()), "stat"))
                    .contains(") Z ")) {
                Thread.onSpinWait();
            }

            assertThat(Memory.proportional(List.of(child))).isZero();
        } finally {
            parent.destroyForcibly();
        }
    }
}
