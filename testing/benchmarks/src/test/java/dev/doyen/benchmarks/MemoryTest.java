package dev.doyen.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

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
}
