package dev.doyen.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.mutants.Edit;
import dev.doyen.mutants.Fate;
import dev.doyen.mutants.Mutant;
import dev.doyen.simulator.mutants.MutantTable;
import dev.doyen.simulator.mutants.SessionMutants;
import dev.doyen.simulator.mutants.Sources;
import dev.doyen.simulator.sessions.SessionSeedRun;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the invariants catch each mutant. A mutant breaks one rule. If no invariant catches the mutant, no
 * invariant tests this rule.
 */
@ExtendWith(Quietly.class)
class MutantsTest {

    static Stream<Mutant> mutants() {
        return MutantTable.ALL.stream();
    }

    @Tag("long")
    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void a_broken_rule_is_noticed(Mutant mutant) throws IOException {
        Fate fate = mutant.hunt(SeedRun.class, Sources.find(), Main.MUTANT_RUNS);

        assertThat(fate.isAlive())
                .as(mutant + " is detected in one of " + Main.MUTANT_RUNS + " runs")
                .isFalse();
    }

    static Stream<Mutant> sessionMutants() {
        return SessionMutants.ALL.stream();
    }

    @Tag("long")
    @ParameterizedTest(name = "{0}")
    @MethodSource("sessionMutants")
    void a_broken_rule_is_detected_in_the_world_of_sessions(Mutant mutant) throws IOException {
        Fate fate = mutant.hunt(SessionSeedRun.class, Sources.find(), Main.SESSION_MUTANT_RUNS);

        assertThat(fate.isAlive())
                .as(mutant + " is detected in one of " + Main.SESSION_MUTANT_RUNS + " runs")
                .isFalse();
    }

    @Test
    void every_rule_that_a_machine_decides_is_broken_at_least_once() {
        assertThat(mutants().map(Mutant::rule).distinct())
                .contains("L1", "L2", "L3", "L4", "L5", "L6", "L7", "L9", "L10", "M8");
    }

    @Test
    void an_unchanged_copy_passes_all_checks() throws IOException {
        Mutant unharmed = Mutant.unharmed("LeaseMachine.java", "public final class LeaseMachine {");

        assertThat(unharmed.hunt(SeedRun.class, Sources.find(), 200).isAlive()).isTrue();
    }

    @Test
    void a_mutant_without_its_text_fails_with_a_message() {
        Mutant lost = new Mutant("L1", "lost", List.of(new Edit("LeaderLease.java", "no such text", "")));
        Mutant vague = new Mutant("L1", "vague", List.of(new Edit("LeaderLease.java", "sentAt", "")));

        assertThatThrownBy(() -> lost.hunt(SeedRun.class, Sources.find(), 1))
                .hasMessageContaining("nowhere in LeaderLease.java");
        assertThatThrownBy(() -> vague.hunt(SeedRun.class, Sources.find(), 1)).hasMessageContaining("more than once");
    }
}
