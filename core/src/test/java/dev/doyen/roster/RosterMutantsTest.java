package dev.doyen.roster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.mutants.Fate;
import dev.doyen.mutants.Mutant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule whose breaking the simulated worlds do not notice is not tried by them. */
class RosterMutantsTest {

    /** So many worlds a mutant may live. */
    private static final int RUNS = Integer.getInteger("roster.mutant.runs", 200);

    static List<Mutant> mutants() {
        return RosterMutants.ALL;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void a_broken_rule_is_noticed(Mutant mutant) throws Exception {
        Fate fate = mutant.hunt(RosterSeedRun.class, RUNS);

        assertThat(fate.isAlive())
                .as(mutant + " lives after " + RUNS + " worlds")
                .isFalse();
        if (Boolean.getBoolean("roster.marks")) {
            System.out.println(mutant + ": " + fate);
        }
    }

    static List<Mutant> steps() {
        return RosterMutants.STEPS;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("steps")
    void what_worlds_do_not_show_is_caught_by_a_step(Mutant mutant) throws Exception {
        String red = mutant.hunt(RosterStepRun.class, 1).by();

        assertThat(red).contains(mutant.name().split("; ", 2)[1]);
    }

    @Test
    void unharmed_all_steps_are_green() throws Exception {
        var unharmed = Mutant.unharmed("Peer.java", "record Peer(");

        assertThat(unharmed.hunt(RosterStepRun.class, 1).isAlive()).isTrue();
    }

    @Test
    void what_is_compiled_aside_without_a_change_keeps_all_promises() throws Exception {
        var unharmed = Mutant.unharmed("Peer.java", "record Peer(");

        assertThat(unharmed.hunt(RosterSeedRun.class, 20).isAlive()).isTrue();
    }
}
