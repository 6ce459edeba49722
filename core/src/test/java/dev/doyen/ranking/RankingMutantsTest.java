package dev.doyen.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.mutants.Fate;
import dev.doyen.mutants.Mutant;
import dev.doyen.mutants.SeededWorld;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule whose breaking the simulated worlds do not notice is not tried by them. */
@Execution(ExecutionMode.CONCURRENT)
class RankingMutantsTest {

    /** So many worlds a mutant may live. */
    private static final int RUNS = Integer.getInteger("ranking.mutant.runs", 200);

    static Stream<Mutant> mutants() {
        return Stream.concat(RankingMutants.EXCLUSIVE.stream(), RankingMutants.OPEN.stream());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void a_broken_rule_is_noticed(Mutant mutant) throws Exception {
        Class<? extends SeededWorld> world =
                RankingMutants.OPEN.contains(mutant) ? RankingSeedRun.WithoutClaims.class : RankingSeedRun.class;

        Fate fate = mutant.hunt(world, RUNS);

        assertThat(fate.isAlive())
                .as(mutant + " lives after " + RUNS + " worlds")
                .isFalse();
        if (Boolean.getBoolean("ranking.marks")) {
            System.out.println(mutant + ": " + fate);
        }
    }

    static Stream<Mutant> steps() {
        return RankingMutants.STEPS.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("steps")
    void what_no_promise_depends_on_is_caught_by_a_vector_or_a_step(Mutant mutant) throws Exception {
        String red = mutant.hunt(RankingStepRun.class, 1).by();

        assertThat(red).contains(mutant.name().split("; ", 2)[1]);
    }

    @Test
    void unharmed_all_vectors_and_steps_are_green() throws Exception {
        var unharmed = Mutant.unharmed("Office.java", "final class Office {");

        assertThat(unharmed.hunt(RankingStepRun.class, 1).isAlive()).isTrue();
    }

    @Test
    void what_is_compiled_aside_without_a_change_keeps_all_promises() throws Exception {
        var unharmed = Mutant.unharmed("Office.java", "final class Office {");

        assertThat(unharmed.hunt(RankingSeedRun.class, 20).isAlive()).isTrue();
    }
}
