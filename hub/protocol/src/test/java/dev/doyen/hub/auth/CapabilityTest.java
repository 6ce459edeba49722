package dev.doyen.hub.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.wire.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapabilityTest {

    @ParameterizedTest
    @CsvSource({
        "*, orders, true",
        "*, orders:eu, true",
        "orders, orders, true",
        "orders, orders:eu, false",
        "orders:*, orders, false",
        "orders:*, orders:eu, true",
        "orders:*, orders:eu:north, true",
        "orders:*, orders2:eu, false",
        "*:eu, orders:eu, true",
        "*:eu, orders:us, false",
        "*:eu, a:b:eu, false",
        "orders:*:log, orders:eu:log, true",
        "orders:*:log, orders:log, false",
        "foo*, foobar, false",
        "foo*, foo*, true",
        "[*]*, orders:eu, true"
    })
    void a_star_matches_a_segment_and_a_final_star_matches_all_following_segments(
            String resource, String channel, boolean allowed) throws Refusal {
        var capability = Capability.parse("{\"" + resource + "\":[\"publish\"]}");

        assertThat(capability.allows(channel, Operation.PUBLISH)).isEqualTo(allowed);
        assertThat(capability.allows(channel, Operation.SUBSCRIBE)).isFalse();
    }

    @Test
    void a_star_among_operations_includes_lead() throws Refusal {
        var capability = Capability.parse("{\"orders\":[\"*\"]}");
        for (Operation operation : Operation.values()) {
            assertThat(capability.allows("orders", operation)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"*\":[\"*\"]} | {\"a\":[\"publish\"]} | {\"a\":[\"publish\"]}",
                "{\"a\":[\"publish\",\"subscribe\"]} | {\"a\":[\"subscribe\",\"presence\"]} | {\"a\":[\"subscribe\"]}",
                "{\"a\":[\"publish\"]} | {\"b\":[\"publish\"]} | {}",
                "{\"a:*\":[\"*\"]} | {\"a:b\":[\"publish\"],\"c\":[\"publish\"]} | {\"a:b\":[\"publish\"]}",
                "{\"a:*\":[\"publish\"]} | {\"*:b\":[\"*\"]} | {\"a:b\":[\"publish\"]}",
                "{\"a:*\":[\"publish\"]} | {\"a:b:*\":[\"*\"]} | {\"a:b:*\":[\"publish\"]}",
                "{\"a:*\":[\"publish\"]} | {\"a\":[\"*\"]} | {}",
                "{\"a:*\":[\"publish\"],\"*\":[\"subscribe\"]} | {\"a:b\":[\"*\"]} | {\"a:b\":[\"publish\",\"subscribe\"]}",
                "{\"a:*\":[\"*\"],\"*\":[\"subscribe\"]} | {\"a:b\":[\"*\"]} | {\"a:b\":[\"*\"]}",
                "{\"a:*\":[\"publish\"],\"*\":[\"*\"]} | {\"a:b\":[\"*\"]} | {\"a:b\":[\"*\"]}",
                "{\"[*]*\":[\"lead\"]} | {\"a\":[\"*\"]} | {\"a\":[\"lead\"]}"
            })
    void the_intersection_of_two_capabilities_contains_common_rights(String one, String other, String both)
            throws Refusal {
        var first = Capability.parse(one);
        var second = Capability.parse(other);

        assertThat(first.intersect(second).text()).isEqualTo(both);
        assertThat(second.intersect(first).text()).isEqualTo(both);
        assertThat(first.intersect(second).isEmpty()).isEqualTo(both.equals("{}"));
    }

    @Test
    void equal_capabilities_have_one_text() throws Refusal {
        var one = Capability.parse("{ \"b\": [\"subscribe\", \"publish\"], \"a\": [\"lead\"] }");
        var other = Capability.parse("{\"a\":[\"lead\"],\"b\":[\"publish\",\"subscribe\",\"publish\"]}");

        var third = Capability.parse("{\"a\":[\"lead\"]}");

        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one).isNotEqualTo(third).doesNotHaveSameHashCodeAs(third);
        assertThat(one.text()).isEqualTo("{\"a\":[\"lead\"],\"b\":[\"publish\",\"subscribe\"]}");
        assertThat(third).hasToString("Capability{\"a\":[\"lead\"]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":[\"publish\"],\"b\":[\"admin\"]} | true",
                "{\"a\":[\"publish\"],\"b\":[\"*\"]} | true",
                "{\"a\":[\"publish\"],\"b\":[\"lead\"]} | false"
            })
    void an_operation_without_a_channel_is_allowed_if_any_channel_allows_it(String text, boolean allowed)
            throws Refusal {
        assertThat(Capability.parse(text).allowsSomewhere(Operation.ADMIN)).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nonsense | is not JSON",
                "{\"a\":[\"publish\"]} {} | is not JSON",
                "{\"a\":[\"publish\"],\"a\":[\"lead\"]} | is not JSON",
                "[] | is not an object of channels",
                "{} | is not an object of channels",
                "{\"\":[\"publish\"]} | names a channel without a name",
                "{\"a\":[]} | gives \"a\" no list of operations",
                "{\"a\":\"publish\"} | gives \"a\" no list of operations",
                "{\"a\":[\"publish_\"]} | gives \"a\" the operation",
                "{\"a\":[1]} | gives \"a\" the operation",
                "{\"a\":[\"*\",\"publish\"]} | gives \"a\" \"*\" beside other operations"
            })
    void an_invalid_capability_is_rejected_with_a_sentence(String text, String sentence) {
        assertThatThrownBy(() -> Capability.parse(text))
                .isInstanceOf(Refusal.class)
                .hasMessageStartingWith("the capability " + sentence);
    }

    @Test
    void its_size_is_limited() throws Refusal {
        var many = new StringBuilder("{\"a\":[\"publish\"]");
        for (int i = 0; i < 199; i++) {
            many.append(",\"a").append(i).append("\":[\"publish\"]");
        }
        assertThat(Capability.parse(many + "}").allows("a198", Operation.PUBLISH))
                .isTrue();
        many.append(",\"b\":[\"publish\"]");
        assertThatThrownBy(() -> Capability.parse(many + "}"))
                .hasMessage("the capability names 201 resources; at most 200 are allowed");
        String small = "{\"a\":[\"publish\"]}";
        assertThat(Capability.parse(" ".repeat(16_384 - small.length()) + small).text())
                .isEqualTo(small);
        assertThatThrownBy(() -> Capability.parse(" ".repeat(16_385)))
                .hasMessage("the capability has 16385 characters; at most 16384 are allowed");
    }
}
