package dev.doyen.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule whose breaking the simulated worlds do not notice is not tried by them. */
class RingMutantsTest {

    /** So many worlds a mutant may live. */
    private static final int RUNS = Integer.getInteger("ring.mutant.runs", 700);

    @TempDir
    Path aside;

    static Stream<RingMutant> mutants() {
        return Stream.concat(RingMutants.QUORUM.stream(), RingMutants.ROUNDS.stream());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void a_broken_rule_is_noticed(RingMutant mutant) throws Exception {
        String caught = mutant.hunt(aside, mutant.rule().startsWith("Q"), RUNS);

        assertThat(caught).as(mutant + " lives after " + RUNS + " worlds").isNotEmpty();
        if (Boolean.getBoolean("ring.marks")) {
            System.out.println(mutant + ": " + caught);
        }
    }

    @Test
    void what_is_compiled_aside_without_a_change_keeps_all_promises() throws Exception {
        var unharmed = RingMutant.of("none", "unharmed", 1, "Laps.java", "final class Laps {", "final class Laps {");

        assertThat(unharmed.hunt(aside, true, 20)).isEmpty();
    }
}
