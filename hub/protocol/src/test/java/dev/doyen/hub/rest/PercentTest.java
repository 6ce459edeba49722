package dev.doyen.hub.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.wire.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentTest {

    @Test
    void only_unreserved_characters_are_not_escaped() throws Refusal {
        assertThat(Percent.encode("azAZ09-._~")).isEqualTo("azAZ09-._~");
        // The text contains the characters just outside the ranges a-z, A-Z and 0-9. It also contains a comma and two
        // characters beyond ASCII.
        assertThat(Percent.encode("`{@[/:,é€")).isEqualTo("%60%7B%40%5B%2F%3A%2C%C3%A9%E2%82%AC");
        assertThat(Percent.decodePath(Percent.encode("`{@[/:,é€ +%"))).isEqualTo("`{@[/:,é€ +%");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"ab|ab|ab", "+a|' a'|+a", "a+b|'a b'|a+b", "a+b%2B|'a b+'|a+b+", "%41|A|A", "a%c3%BC|aü|aü"})
    void a_plus_sign_is_a_blank_in_a_query_only(String text, String inQuery, String inPath) throws Refusal {
        assertThat(Percent.decodeQuery(text)).isEqualTo(inQuery);
        assertThat(Percent.decodePath(text)).isEqualTo(inPath);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "a%", "abc%", "%4", "%zz", "%4z", "%z4", "%41%", "%４1", "%4１"})
    void a_percent_sign_without_two_digits_is_rejected(String text) {
        assertThatThrownBy(() -> Percent.decodePath(text))
                .isInstanceOf(Refusal.class)
                .hasMessage("the percent signs in \"" + text + "\" are not each followed by two hexadecimal digits");
    }
}
