package dev.doyen.elector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminKeyTest {

    @Test
    void the_key_is_accepted_as_text_and_in_base64() {
        AdminKey key = AdminKey.of("0123456789-abcdefghijk");
        assertThat(key.isIn("Bearer 0123456789-abcdefghijk")).isTrue();
        String encoded = Base64.getEncoder().encodeToString(key.text().getBytes(StandardCharsets.UTF_8));
        assertThat(key.isIn("Bearer " + encoded)).isTrue();
        assertThat(key.isIn("Bearer 0123456789-abcdefghijl")).isFalse();
        assertThat(key.isIn("Bearer ")).isFalse();
        assertThat(key.isIn("")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0123456789-abcdefghij", "0123456789 abcdefghijk", "0123456789:abcdefghijk"})
    void a_short_or_malformed_key_is_rejected_without_printing_it(String text) {
        assertThatThrownBy(() -> AdminKey.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the admin key")
                .hasMessageNotContaining("0123456789");
        assertThatThrownBy(() -> AdminKey.of("x".repeat(AdminKey.MAX_LENGTH + 1)))
                .hasMessageContaining("has 201 characters; it needs 22 to 200");
    }

    @Test
    void a_combined_rule_accepts_the_key_and_what_the_other_rule_accepts() {
        AdminKey key = AdminKey.of("0123456789-abcdefghijk");
        Admins both = key.or((authorization, address, election) ->
                authorization.equals("Basic x") ? AdminCheck.accepted("x") : AdminCheck.rejected("not allowed"));
        assertThat(both.check("Bearer " + key.text(), "", "orders")).isEqualTo(AdminCheck.accepted("the admin key"));
        assertThat(both.check("Basic x", "", "orders").refusal()).isEmpty();
        assertThat(both.check("Basic y", "", "orders").refusal()).contains("not allowed");
        assertThat(both.acceptsForAll("Bearer " + key.text())).isTrue();
        assertThat(both.acceptsForAll("Basic x")).isFalse();
    }

    @Test
    void the_key_is_not_part_of_its_text_form() {
        assertThat(AdminKey.of("0123456789-abcdefghijk").toString()).doesNotContain("0123456789");
    }
}
