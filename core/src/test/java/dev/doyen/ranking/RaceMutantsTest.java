package dev.doyen.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.mutants.Mutant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each of the thirteen races can be lost by the shipped machine too, if it is broken: none is won whatever it does. */
@Execution(ExecutionMode.CONCURRENT)
class RaceMutantsTest {

    /** Where one rule stands in for another, both are broken. */
    static Stream<Arguments> mutants() {
        return Stream.of(
                Arguments.of(
                        Mutant.of(
                                "K7, K8, K11",
                                "it claims at once, leads by its claim, and does not look whether that wins",
                                1,
                                "Candidacy.java",
                                "since + settleNanos() * (1 + (long) PATIENCE * places)",
                                "since",
                                "Pen.java",
                                "turn.effect(new RankingEffect.Claim(seq, term));",
                                "turn.effect(new RankingEffect.Claim(seq, term));\n        turn.claim = turn.claim.leading(term);\n        turn.effect(new RankingEffect.StartWork(term));",
                                "Office.java",
                                "        if (claim == null) {\n            return;\n        }\n        Member mine",
                                "        if (claim == null || claim.leads()) {\n            return;\n        }\n        Member mine"),
                        List.of(1, 2, 3, 4, 5, 10, 13)),
                Arguments.of(
                        Mutant.of(
                                "K10",
                                "a claim does not say for how long it is good",
                                1,
                                "PresenceData.java",
                                "        data.put(\"ttl\", settings.ttl().toMillis());\n",
                                ""),
                        List.of(6, 11)),
                Arguments.of(known("a deadline stops no work"), List.of(7, 8)),
                Arguments.of(known("a refused claim is never made again"), List.of(9)),
                Arguments.of(known("it claims in the greatest term"), List.of(12)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void a_broken_machine_loses(Mutant mutant, List<Integer> races) throws Exception {
        String lost = mutant.hunt(RaceRun.class, 1).by();

        for (int race : races) {
            assertThat(lost).contains("race_%02d_".formatted(race));
        }
    }

    @Test
    void each_race_is_lost_by_one_of_them() {
        var races = new ArrayList<Object>();
        mutants().forEach(each -> races.addAll((List<?>) each.get()[1]));

        assertThat(races)
                .hasSize(13)
                .containsAll(IntStream.rangeClosed(1, 13).boxed().toList());
    }

    private static Mutant known(String name) {
        return Stream.concat(RankingMutants.EXCLUSIVE.stream(), RankingMutants.OPEN.stream())
                .filter(mutant -> mutant.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
