package dev.doyen.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.mutants.Fate;
import dev.doyen.mutants.Mutant;
import dev.doyen.mutants.SeededWorld;
import dev.doyen.mutants.SourceTree;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the simulated worlds detect each broken rule. */
@Execution(ExecutionMode.CONCURRENT)
class RingMutantsTest {

    /** The maximum number of worlds that run with a mutant. At least one of these worlds must detect the mutant. */
    private static final int RUNS = Integer.getInteger("ring.mutant.runs", 700);

    private static final SourceTree SOURCES =
            new SourceTree(Path.of("src", "main", "java"), List.of("dev.doyen.ring", "dev.doyen.group.settings"));

    static Stream<Mutant> mutants() {
        return Stream.of(RingMutants.ROUNDS, RingMutants.STATES, RingMutants.ORDERS)
                .flatMap(List::stream);
    }

    @Tag("long")
    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void a_broken_rule_is_noticed(Mutant mutant) throws Exception {
        Fate fate = mutant.hunt(world(mutant), SOURCES, RUNS);

        assertThat(fate.isAlive())
                .as(mutant + " is detected in one of " + RUNS + " worlds")
                .isFalse();
        if (Boolean.getBoolean("ring.marks")) {
            System.out.println(mutant + ": " + fate);
        }
    }

    private static Class<? extends SeededWorld> world(Mutant mutant) {
        return RingMutants.ORDERS.contains(mutant) ? RingSeedRun.InEachOrder.class : RingSeedRun.class;
    }

    @Test
    void an_unchanged_copy_passes_all_checks() throws Exception {
        var unharmed = Mutant.unharmed("LeaderHeartbeats.java", "final class LeaderHeartbeats {");

        assertThat(unharmed.hunt(RingSeedRun.class, 20).isAlive()).isTrue();
    }
}
