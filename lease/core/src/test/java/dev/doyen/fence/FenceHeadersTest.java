package dev.doyen.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FenceHeadersTest {

    @Test
    void both_headers_are_set_on_a_request_of_the_jdk_client() {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost/"));
        FenceHeaders.put("orders", 7, request::header);
        assertThat(request.build().headers().map())
                .containsEntry("X-Fencing-Token", java.util.List.of("7"))
                .containsEntry("X-Fencing-Resource", java.util.List.of("orders"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"orders", "a b", "50%", "a,b", "\"quoted\"", "Aufträge", "注文", "\uD83D\uDC51", "x/y?z=1&w", "%41"
            })
    void every_name_is_encoded_in_visible_ascii_and_decoded(String name) {
        Map<String, String> headers = new LinkedHashMap<>();
        FenceHeaders.put(name, Long.MAX_VALUE, headers::put);
        assertThat(headers.get(FenceHeaders.RESOURCE)).matches("[!-~&&[^,\"]]+");
        assertThat(FenceHeaders.resource(headers.get(FenceHeaders.RESOURCE))).isEqualTo(name);
        assertThat(FenceHeaders.term(headers.get(FenceHeaders.TOKEN))).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void the_longest_name_fits_into_the_header() {
        Map<String, String> headers = new LinkedHashMap<>();
        String longest = "注".repeat(255);
        FenceHeaders.put(longest, 1, headers::put);
        assertThat(headers.get(FenceHeaders.RESOURCE)).hasSize(FenceHeaders.MAX_RESOURCE_VALUE);
        assertThat(FenceHeaders.resource(headers.get(FenceHeaders.RESOURCE))).isEqualTo(longest);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "-1",
                "+1",
                " 1",
                "1 ",
                "1.0",
                "7, 8",
                "0x7",
                "٧",
                "seven",
                "9223372036854775808",
                "00000000000000000001"
            })
    void an_invalid_term_is_rejected_with_a_sentence(String value) {
        assertThatThrownBy(() -> FenceHeaders.term(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("X-Fencing-Token is \"" + value
                        + "\"; it is a term: a whole number from 1 to 9223372036854775807");
    }

    @Test
    void an_error_message_shortens_a_long_value() {
        assertThatThrownBy(() -> FenceHeaders.term("7".repeat(5000)))
                .hasMessageContaining("\"" + "7".repeat(40) + "...\"");
        assertThatThrownBy(() -> FenceHeaders.resource("x".repeat(2296)))
                .hasMessage("X-Fencing-Resource has 2296 characters; at most 2295 are allowed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"%", "%4", "%zz", "%４1", "%4１", "a b", "a,b", "ä", "%C3", "%FF", "%00", "%0A", "", "%ED%A0%80"})
    void an_invalid_name_is_rejected(String value) {
        assertThatThrownBy(() -> FenceHeaders.resource(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("X-Fencing-Resource ");
    }

    @Test
    void a_name_over_255_characters_is_rejected_even_with_a_short_header() {
        assertThatThrownBy(() -> FenceHeaders.resource("x".repeat(256))).hasMessageContaining("at most 255");
    }

    @Test
    void no_header_is_set_for_an_invalid_term() {
        Map<String, String> headers = new LinkedHashMap<>();
        assertThatThrownBy(() -> FenceHeaders.put("orders", 0, headers::put)).hasMessage("term is 0; terms start at 1");
        assertThat(headers).isEmpty();
    }

    @Test
    void no_header_is_set_for_an_invalid_resource() {
        Map<String, String> headers = new LinkedHashMap<>();
        assertThatThrownBy(() -> FenceHeaders.put("", 7, headers::put))
                .hasMessage("resource is empty; it needs 1 to 255 characters");
        assertThat(headers).isEmpty();
    }
}
