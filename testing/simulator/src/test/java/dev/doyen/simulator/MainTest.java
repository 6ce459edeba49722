package dev.doyen.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MainTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void a_seed_is_replayed_event_by_event() throws Exception {
        assertThat(run("3")).isZero();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("## Elected[term=1", "writes v1 ", "all faults are removed", "seed 3: all promises kept");
    }

    @Test
    void runs_are_counted_and_reported() throws Exception {
        assertThat(run("--runs", "50", "100")).isZero();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("50 of 50 runs", "runs/s", "50 runs from seed 100 on: all promises kept");
    }

    @Test
    void invalid_arguments_print_the_usage() throws Exception {
        assertThat(run()).isEqualTo(2);
        assertThat(run("seven")).isEqualTo(2);
        assertThat(run("--runs")).isEqualTo(2);
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("usage: ./dev sim SEED");
    }

    private int run(String... args) throws Exception {
        return Main.run(args, new PrintStream(printed, true, StandardCharsets.UTF_8));
    }
}
