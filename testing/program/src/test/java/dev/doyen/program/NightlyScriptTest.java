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

/** Tests the script of examples/script, which is killed at seeded moments or has an old term. */
@Timeout(300)
class NightlyScriptTest {

    private static final Path SCRIPT =
            Path.of("../../examples/script/nightly.sh").toAbsolutePath();
    private static final int CUSTOMERS = 3000;
    private static final int KILLS = 3;

    @TempDir
    Path folder;

    private Path customers;
    private Path ledger;

    @BeforeEach
    void write_customers() throws IOException {
        customers = folder.resolve("customers");
        ledger = folder.resolve("ledger");
        Files.write(
                customers,
                IntStream.rangeClosed(1, CUSTOMERS)
                        .mapToObj(NightlyScriptTest::customer)
                        .toList());
    }

    @Test
    void each_customer_is_booked_once_whoever_is_killed() throws Exception {
        var random = new Random(3);
        var working = start();
        try {
            for (int kill = 0; kill < KILLS; kill++) {
                working.awaitLine("from customer");
                var waiting = start();
                waiting.awaitSaying("waiting: ");
                long lines = Math.min(lines() + 1 + random.nextInt(100), CUSTOMERS);
                while (lines() < lines) {
                    LockSupport.parkNanos(1_000_000);
                }
                working.killHard();
                working = waiting;
            }
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
        // There may be more terms, because a candidate that was frozen for too long may have led in two.
        assertThat(terms.stream().distinct().count()).isGreaterThanOrEqualTo(KILLS + 1);
    }

    @Test
    void a_script_with_too_low_a_term_is_refused() throws Exception {
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
