package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the script of examples/script. One test kills {@code doyen run} and thus the script, at random times that a
 * seed determines. The other test runs the script with an old term.
 */
@Timeout(300)
class NightlyScriptTest {

    private static final Path SCRIPT =
            Path.of("../../examples/script/nightly.sh").toAbsolutePath();
    private static final int CUSTOMERS = 600;
    private static final int KILLS = Integer.getInteger("kills", 3);

    private static final String ELECTED = "elected, and waits for the gate";
    /**
     * A shell command that waits for the gate file and then starts the script. So the script cannot end before the next
     * candidate has started.
     */
    private static final String WHEN_GATE_EXISTS =
            "echo '" + ELECTED + "'; until [ -e \"$0\" ]; do sleep 0.02; done; exec \"$@\"";

    @TempDir
    Path folder;

    private Path customers;
    private Path ledger;
    private Path gate;

    @BeforeEach
    void write_customers() throws IOException {
        customers = folder.resolve("customers");
        ledger = folder.resolve("ledger");
        gate = folder.resolve("gate");
        Files.write(
                customers,
                IntStream.rangeClosed(1, CUSTOMERS)
                        .mapToObj(NightlyScriptTest::customer)
                        .toList());
    }

    @Test
    void each_customer_is_booked_once_after_any_kill() throws Exception {
        var random = new Random(3);
        var working = start();
        try {
            for (int kill = 0; kill < KILLS; kill++) {
                // Without this wait, the process that starts next could be elected first, and would never print
                // "waiting".
                working.awaitLine(ELECTED);
                var waiting = start();
                waiting.awaitOutput("waiting: ");
                Files.createFile(gate);
                long lines = Math.min(lines() + 1 + random.nextInt(100), CUSTOMERS);
                while (lines() < lines) {
                    LockSupport.parkNanos(1_000_000);
                }
                Files.delete(gate);
                working.killHard();
                working = waiting;
            }
            Files.createFile(gate);
            working.awaitLine("booked " + CUSTOMERS);
            assertThat(working.awaitExit()).isZero();
        } finally {
            working.close();
        }
        List<Long> terms = new ArrayList<>();
        List<String> booked = new ArrayList<>();
        for (String line : Files.readAllLines(ledger)) {
            int space = line.indexOf(' ');
            terms.add(Long.parseLong(line.substring(0, space)));
            booked.add(line.substring(space + 1));
        }
        assertThat(booked)
                .isEqualTo(IntStream.rangeClosed(1, CUSTOMERS)
                        .mapToObj(number -> number + " " + customer(number))
                        .toList());
        assertThat(terms).isSorted();
        // The number of terms is not always the number of kills plus one. A candidate that the system freezes for too
        // long can lose its term before the kill, or lead in two terms.
        assertThat(terms.stream().distinct().count()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void a_script_with_a_lower_term_is_rejected() throws Exception {
        Files.writeString(ledger, "7 1 " + customer(1) + "\n");
        var builder = new ProcessBuilder(SCRIPT.toString(), customers.toString(), ledger.toString());
        builder.environment().put("DOYEN_TERM", "6");
        Process script = builder.start();
        assertThat(script.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(script.exitValue()).isEqualTo(75);
        assertThat(new String(script.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("refused: fence 6 < 7\n");
        assertThat(Files.readAllLines(ledger)).hasSize(1);
    }

    private RunningDoyen start() throws IOException {
        return RunningDoyen.start(
                "run",
                "nightly",
                "--store",
                "file:" + folder.resolve("leases"),
                "--ttl",
                "3s",
                "--",
                "sh",
                "-c",
                WHEN_GATE_EXISTS,
                gate.toString(),
                SCRIPT.toString(),
                customers.toString(),
                ledger.toString());
    }

    private long lines() throws IOException {
        return Files.exists(ledger) ? Files.readAllLines(ledger).size() : 0;
    }

    private static String customer(int number) {
        return "customer-" + number;
    }
}
