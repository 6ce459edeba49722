package dev.doyen.demo.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.group.settings.RingAlgorithm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which queries are valid, and the error messages for invalid queries. */
class RecordingParametersTest {

    @Test
    void missing_parameters_have_their_defaults() {
        RecordingParameters plan = RecordingParameters.of(Map.of());
        assertThat(plan.n()).isEqualTo(8);
        assertThat(plan.numbers()).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(plan.algorithm()).isEqualTo(RingAlgorithm.CHANG_ROBERTS);
        assertThat(plan.fault()).isEqualTo(RecordingFault.NONE);
        assertThat(plan.who()).isEqualTo(8);
        assertThat(plan.whenHops()).isEqualTo(4);
    }

    @Test
    void a_list_of_members_is_used_unchanged() {
        assertThat(RecordingParameters.of(Map.of("order", "3, 1,2")).numbers()).isEqualTo(List.of(3, 1, 2));
        assertThat(RecordingParameters.of(Map.of("order", "2,1", "n", "2")).numbers())
                .isEqualTo(List.of(2, 1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n=1                      | n is 1; its bounds are 2 and 64",
                "n=65                     | n is 65; its bounds are 2 and 64",
                "n=9999999999             | n is \"9999999999\"; it is a whole number from 2 to 64",
                "n=-3                     | n is \"-3\"; it is a whole number from 2 to 64",
                "order=sorted             | order is \"sorted\"; it is random, best, worst, or a list such as 3,1,2",
                "order=1,1,2              | order is \"1,1,2\"; a list of 3 members has each number from 1 to 3 once",
                "order=1,2,4              | order is \"1,2,4\"; a list of 3 members has each number from 1 to 3 once",
                "order=1,x                | order is \"x\"; it is a whole number from 1 to 64",
                "order=2,1&n=3            | n is 3, but order lists 2 members; leave n out",
                "algorithm=bully          | algorithm is \"bully\"; it is chang-roberts or peterson",
                "fault=flood             | fault is \"flood\"; it is one of none, lost, crash, killed, cut, split",
                "fault=crash&who=9       | who is 9; its bounds are 1 and 8",
                "when=17                  | when is 17; its bounds are 1 and 16",
                "fault=lost&when=8       | when is 8; its bounds are 1 and 7",
                "seed=1000000000          | seed is \"1000000000\"; it is a whole number from 0 to 999999999",
                "sead=1                   | there is no parameter \"sead\"; there are algorithm, fault, n, order, seed, when, who",
            })
    void invalid_values_are_rejected_with_a_sentence(String query, String sentence) {
        assertThatThrownBy(() -> RecordingParameters.of(parsed(query)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    @Test
    void a_list_with_too_many_members_is_rejected() {
        String order = IntStream.rangeClosed(1, 65).mapToObj(String::valueOf).collect(Collectors.joining(","));
        assertThatThrownBy(() -> RecordingParameters.of(Map.of("order", order)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_plan_that_was_not_parsed_from_a_query_is_checked() {
        for (int n : new int[] {1, 65}) {
            List<Integer> numbers = IntStream.rangeClosed(1, n).boxed().toList();
            assertThatThrownBy(() ->
                            new RecordingParameters(numbers, RingAlgorithm.PETERSON, RecordingFault.NONE, 1, 1, 1))
                    .hasMessage("n is " + n + "; its bounds are 2 and 64");
        }
    }

    @Test
    void an_error_message_repeats_only_the_start_of_a_long_text() {
        assertThatThrownBy(() -> RecordingParameters.of(Map.of("order", "x".repeat(5_000))))
                .hasMessage("order is \"" + "x".repeat(20) + "…\"; it is random, best, worst, or a list such as 3,1,2");
    }

    private static Map<String, String> parsed(String query) {
        var parsed = new HashMap<String, String>();
        for (String each : query.split("&", -1)) {
            int mark = each.indexOf('=');
            parsed.put(each.substring(0, mark), each.substring(mark + 1));
        }
        return parsed;
    }
}
