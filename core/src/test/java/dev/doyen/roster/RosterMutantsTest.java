package dev.doyen.roster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.mutants.Mutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule whose breaking the simulated worlds do not notice is not tried by them. */
class RosterMutantsTest {

    /** So many worlds a mutant may live. */
    private static final int RUNS = Integer.getInteger("roster.mutant.runs", 200);

    @TempDir
    Path aside;

    static List<Mutant> mutants() {
        return RosterMutants.ALL;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void a_broken_rule_is_noticed(Mutant mutant) throws Exception {
        String caught = mutant.hunt(RosterSeedRun.class, aside, RUNS);

        assertThat(caught).as(mutant + " lives after " + RUNS + " worlds").isNotEmpty();
        if (Boolean.getBoolean("roster.marks")) {
            System.out.println(mutant + ": " + caught);
        }
    }

    static List<Mutant> steps() {
        return RosterMutants.STEPS;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("steps")
    void what_worlds_do_not_show_is_caught_by_a_step(Mutant mutant) throws Exception {
        String red = mutant.hunt(RosterStepRun.class, aside, 1);

        assertThat(red).contains(mutant.name().split("; ", 2)[1]);
    }

    @Test
    void unharmed_all_steps_are_green() throws Exception {
        var unharmed = Mutant.unharmed("Peer.java", "record Peer(");

        assertThat(unharmed.hunt(RosterStepRun.class, aside, 1)).isEmpty();
    }

    @Test
    void what_is_compiled_aside_without_a_change_keeps_all_promises() throws Exception {
        var unharmed = Mutant.unharmed("Peer.java", "record Peer(");

        assertThat(unharmed.hunt(RosterSeedRun.class, aside, 20)).isEmpty();
    }
}
