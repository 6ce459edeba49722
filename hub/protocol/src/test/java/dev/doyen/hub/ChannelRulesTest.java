package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which rule applies to a channel, which rules are valid, and the effects of the rules. */
class ChannelRulesTest {

    private static final ChannelRule SMALL = new ChannelRule(
            "small:*",
            Map.of("leader", 1),
            Set.of(),
            ChannelRule.Fencing.TERM,
            Optional.of(Duration.ofSeconds(2)),
            OptionalInt.of(1),
            OptionalInt.of(2),
            Optional.of(Duration.ofSeconds(30)));

    @Test
    void the_first_matching_rule_applies() {
        var rules = new ChannelRules(List.of(
                ChannelRule.of("jobs:urgent"),
                ChannelRule.of("jobs:*").fenced(),
                ChannelRule.of("*").withSlots(Map.of("a", 1))));
        assertThat(rules.of("jobs:urgent").isFenced()).isFalse();
        assertThat(rules.of("jobs:").isFenced()).isTrue();
        assertThat(rules.of("jobs:x:y").isFenced()).isTrue();
        assertThat(rules.of("job").slots()).containsOnlyKeys("a");
    }

    @Test
    void without_a_rule_one_leader_is_allowed_and_every_client_publishes() {
        assertThat(ChannelRules.NONE.of("x").slots()).containsExactly(Map.entry("leader", 1));
        assertThat(ChannelRules.NONE.of("x").isFenced()).isFalse();
    }

    static Stream<Arguments> wrong() {
        var rule = ChannelRule.of("x");
        return Stream.of(
                wrong(() -> ChannelRule.of("a*b"), "a rule is for the channel \"a*b\", which is not a channel name"),
                wrong(() -> ChannelRule.of("*b"), "a rule is for the channel \"*b\", which is not a channel name"),
                wrong(() -> ChannelRule.of(""), "a rule is for the channel \"\", which is not a channel name"),
                wrong(() -> rule.withSlots(Map.of()), "the rule for the channel \"x\" has 0 slots; give 1 to 16"),
                wrong(() -> rule.withSlots(Map.of("a b", 1)), "the rule for the channel \"x\" names the slot \"a b\""),
                wrong(() -> rule.withSlots(Map.of("a/2", 1)), "the rule for the channel \"x\" names the slot \"a/2\""),
                wrong(() -> rule.withSlots(Map.of("a", 0)), "the rule for the channel \"x\" has 0 of the slot a"),
                wrong(() -> rule.withSlots(Map.of("a", 101)), "the rule for the channel \"x\" has 101 of the slot a"),
                wrong(
                        () -> rule.fencedFor(Set.of("indexer")),
                        "the rule for the channel \"x\" is fenced for the slot \"indexer\", but has only leader"),
                wrong(() -> limits(999, 1, 1, 1), "the rule for the channel \"x\" has a max claim ttl of 999 ms"),
                wrong(() -> limits(1_000, 0, 1, 1), "the rule for the channel \"x\" has members 0"),
                wrong(() -> limits(1_000, 1, 0, 1), "the rule for the channel \"x\" has history 0"),
                wrong(() -> limits(1_000, 1, 1, 0), "the rule for the channel \"x\" has a history age of 0 ms"),
                wrong(() -> new ChannelRules(List.of(rule, rule)), "the channel \"x\" has two rules; remove one"),
                wrong(
                        () -> new ChannelRules(IntStream.range(0, 201)
                                .mapToObj(i -> ChannelRule.of("x" + i))
                                .toList()),
                        "there are 201 rules for channels; at most 200"));
    }

    @Test
    void rules_at_their_limits_are_accepted() {
        Map<String, Integer> slots = IntStream.range(0, 16).boxed().collect(Collectors.toMap(i -> "s" + i, i -> 100));
        assertThat(ChannelRule.of("x").withSlots(slots).slots()).hasSize(16);
        List<ChannelRule> rules =
                IntStream.range(0, 200).mapToObj(i -> ChannelRule.of("x" + i)).toList();
        assertThat(new ChannelRules(rules).of("x199")).isEqualTo(rules.get(199));
    }

    private static ChannelRule limits(int ttlMillis, int members, int history, int ageMillis) {
        return new ChannelRule(
                "x",
                Map.of("leader", 1),
                Set.of(),
                ChannelRule.Fencing.TERM,
                Optional.of(Duration.ofMillis(ttlMillis)),
                OptionalInt.of(members),
                OptionalInt.of(history),
                Optional.of(Duration.ofMillis(ageMillis)));
    }

    private static Arguments wrong(Supplier<?> made, String sentence) {
        return Arguments.of(made, sentence);
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void invalid_values_are_rejected_with_a_sentence(Supplier<?> made, String sentence) {
        assertThatThrownBy(made::get)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(sentence);
    }

    @Test
    void the_limits_of_a_channel_apply_only_to_it() {
        var stage = new Stage(HubSettings.builder()
                .channelRules(new ChannelRules(List.of(SMALL)))
                .build());
        Player ann = stage.connect("ann").enter("small:x", "{\"role\":\"L\",\"ttl\":3000}");
        assertThat(ann.takeOnly().error().message()).contains("from 1000 to 2000");
        ann.enter("y", "{\"role\":\"L\",\"ttl\":3000}");
        assertThat(stage.claims).hasSize(1);
        stage.connect("bob").enter("small:x", "1").enter("y", "1");
        Player eve = stage.connect("eve").enter("small:x", "1");
        assertThat(eve.takeOnly().error().message()).contains("has 1 members; at most 1");
        eve.publish("small:x", "1").publish("small:x", "2").publish("small:x", "3");
        eve.publish("y", "1").publish("y", "2").publish("y", "3");
        assertThat(rewound(stage, "small:x")).containsExactly("MESSAGE small:x '2'", "MESSAGE small:x '3'");
        assertThat(rewound(stage, "y")).hasSize(3);
        stage.pass(Duration.ofSeconds(31));
        assertThat(rewound(stage, "small:x")).containsExactly("MESSAGE small:x '3'");
        assertThat(rewound(stage, "y")).hasSize(3);
    }

    private static List<String> rewound(Stage stage, String channel) {
        Player late = stage.connect("late").attach(channel, Map.of("rewind", "10"));
        return late.received().stream()
                .filter(line -> line.startsWith("MESSAGE"))
                .toList();
    }

    @Test
    void the_election_of_a_slot_has_a_name_that_no_channel_can_have() {
        assertThat(Slot.LEADER.electionOn("x")).isEqualTo("x");
        assertThat(new Slot("leader", 2).electionOn("x")).isEqualTo("[leader/2]x");
        assertThat(new Slot("worker", 1).electionOn("x")).isEqualTo("[worker]x");
        assertThat(new Slot("worker", 2).electionOn("x")).isEqualTo("[worker/2]x");
    }
}
