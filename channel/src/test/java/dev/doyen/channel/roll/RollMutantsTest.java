package dev.doyen.channel.roll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.mutants.Fate;
import dev.doyen.mutants.Mutant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule whose breaking the simulated worlds do not notice is not tried by them. */
class RollMutantsTest {

    /** So many worlds a mutant may live. */
    private static final int RUNS = Integer.getInteger("roll.mutant.runs", 200);

    static List<Mutant> mutants() {
        return RollMutants.ALL;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void a_broken_rule_is_noticed(Mutant mutant) throws Exception {
        Fate fate = mutant.hunt(RollSeedRun.class, RUNS);

        assertThat(fate.isAlive())
                .as(mutant + " lives after " + RUNS + " worlds")
                .isFalse();
        if (Boolean.getBoolean("roll.marks")) {
            System.out.println(mutant + ": " + fate);
        }
    }

    @Test
    void what_no_promise_depends_on_is_caught_by_a_vector() throws Exception {
        Fate fate = RollMutants.BELIEVES_NOBODY.hunt(RollVectorRun.class, 30);

        assertThat(fate.seed()).isEqualTo(20);
        assertThat(fate.by()).contains("20-who-came-later-believes-that-one-is.json");
    }

    @Test
    void what_is_compiled_aside_without_a_change_keeps_all_promises() throws Exception {
        var unharmed = Mutant.unharmed("RollCall.java", "public final class RollCall {");

        assertThat(unharmed.hunt(RollSeedRun.class, 20).isAlive()).isTrue();
    }
}
