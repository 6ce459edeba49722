package dev.doyen.client.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerTest {

    @Test
    void the_name_is_the_leader_and_the_header_the_term() {
        String body = "{\"name\":\"pod-1\",\"last_update\":\"2026-11-21T09:01:22Z\"}";

        assertThat(Answer.read(body, Optional.of("7"))).contains(leader("pod-1", 7));
        assertThat(Answer.read(body, Optional.empty()))
                .contains(new Answer(Optional.of("pod-1"), OptionalLong.empty()));
    }

    @Test
    void an_empty_name_is_no_leader() {
        assertThat(Answer.read("{\"name\":\"\",\"last_update\":\"\"}", Optional.empty()))
                .contains(new Answer(Optional.empty(), OptionalLong.empty()));
    }

    @Test
    void an_object_without_a_name_is_no_answer() {
        assertThat(Answer.read("{}", Optional.empty())).isEmpty();
    }

    @Test
    void in_version_1_the_leader_is_read_and_not_the_name_of_the_election() {
        assertThat(Answer.read(
                        "{\"name\":\"orders\",\"leader\":{\"id\":\"pod-1\",\"term\":9},\"lastTerm\":9,\"list\":[1,{\"id\":2}]}",
                        Optional.of("8")))
                .contains(leader("pod-1", 9));
        assertThat(Answer.read(
                        "{\"name\":\"pod-1\",\"leader\":null,\"lastTerm\":9,\"noLeader\":{\"reason\":\"taking\"}}",
                        Optional.empty()))
                .contains(new Answer(Optional.empty(), OptionalLong.empty()));
    }

    @Test
    void names_can_contain_escapes() {
        assertThat(Answer.read("{\"name\":\"p\\u00f8d \\\"1\\\"\\n\\/\"}", Optional.empty()))
                .contains(new Answer(Optional.of("pød \"1\"\n/"), OptionalLong.empty()));
    }

    @Test
    void a_field_name_with_a_dot_is_not_a_nested_field() {
        assertThat(Answer.read("{\"leader.id\":\"pod-2\",\"name\":\"pod-1\"}", Optional.empty()))
                .contains(new Answer(Optional.of("pod-1"), OptionalLong.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "null",
                "\"pod-1\"",
                "{",
                "{\"name\":",
                "{\"name\":\"pod",
                "{\"name\":\"a\"} x",
                "{\"name\":\"a\",}",
                "{name:\"a\"}",
                "{\"name\":5}",
                "{\"name\":null}",
                "{\"name\":\"a\",\"name\":\"b\"}",
                "{\"name\":\"a\nb\"}",
                "{\"name\":\"\\x\"}",
                "{\"name\":\"\\u12g4\"}",
                "{\"name\":\"\\u004１\"}",
                "{\"leader\":\"pod-1\"}",
                "{\"leader\":{\"id\":7}}",
                "{\"leader\":{\"id\":\"a\",\"term\":1.5}}",
                "{\"leader\":{\"id\":\"a\",\"term\":99999999999999999999}}",
                "{\"a\":01,\"name\":\"a\"}",
                "{\"a\":-,\"name\":\"a\"}",
                "{\"a\":tru,\"name\":\"a\"}",
                "<html></html>",
                "{\"a\":[1,],\"name\":\"a\"}"
            })
    void an_invalid_answer_is_rejected_with_a_sentence(String body) {
        assertThatThrownBy(() -> Answer.read(body, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("[a-z].{10,}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"seven", "+7", "-7", "٧", "9999999999999999999"})
    void a_term_in_the_header_must_be_a_number(String term) {
        assertThatThrownBy(() -> Answer.read("{\"name\":\"a\"}", Optional.of(term)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("whole number");
    }

    @Test
    void answers_are_limited_in_length_and_depth() {
        assertThat(Answer.read("{\"name\":\"" + "a".repeat(FlatJson.MAX_LENGTH - 11) + "\"}", Optional.empty()))
                .isPresent();
        assertThatThrownBy(() ->
                        Answer.read("{\"name\":\"" + "a".repeat(FlatJson.MAX_LENGTH - 10) + "\"}", Optional.empty()))
                .hasMessageContaining("is more than 65536");
        assertThat(Answer.read("{\"a\":" + "[".repeat(7) + "]".repeat(7) + ",\"name\":\"a\"}", Optional.empty()))
                .isPresent();
        assertThatThrownBy(() ->
                        Answer.read("{\"a\":" + "[".repeat(8) + "]".repeat(8) + ",\"name\":\"a\"}", Optional.empty()))
                .hasMessageContaining("deeper than 8");
        assertThatThrownBy(() -> Answer.read("{\"a\":".repeat(10_000), Optional.empty()))
                .hasMessageContaining("deeper than 8");
    }

    private static Answer leader(String id, long term) {
        return new Answer(Optional.of(id), OptionalLong.of(term));
    }
}
