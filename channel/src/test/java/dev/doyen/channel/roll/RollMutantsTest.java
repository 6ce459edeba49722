package dev.doyen.channel.roll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.mutants.Mutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule whose breaking the simulated worlds do not notice is not tried by them. */
class RollMutantsTest {

    /** So many worlds a mutant may live. */
    private static final int RUNS = Integer.getInteger("roll.mutant.runs", 200);

    @TempDir
    Path aside;

    static List<Mutant> mutants() {
        return RollMutants.ALL;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void a_broken_rule_is_noticed(Mutant mutant) throws Exception {
        String caught = mutant.hunt(RollSeedRun.class, aside, RUNS);

        assertThat(caught).as(mutant + " lives after " + RUNS + " worlds").isNotEmpty();
        if (Boolean.getBoolean("roll.marks")) {
            System.out.println(mutant + ": " + caught);
        }
    }

    @Test
    void what_no_promise_depends_on_is_caught_by_a_vector() throws Exception {
        String red = RollMutants.BELIEVES_NOBODY.hunt(RollVectorRun.class, aside, 30);

        assertThat(red).startsWith("seed 20: ").contains("20-who-came-later-believes-that-one-is.json");
    }

    @Test
    void what_is_compiled_aside_without_a_change_keeps_all_promises() throws Exception {
        var unharmed = Mutant.unharmed("RollCall.java", "public final class RollCall {");

        assertThat(unharmed.hunt(RollSeedRun.class, aside, 20)).isEmpty();
    }
}
