package dev.doyen.store.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SharedKeyTest {

    private static final String SECRET = "a secret of thirty-two characters";

    /** The tests share this key, because the derivation of a key takes long on a busy computer. */
    private static final SharedKey ORDERS = SharedKey.of(SECRET, "doyen-cluster", "orders");

    /**
     * The expected bytes come from another implementation. Processes of different versions must derive the same key.
     */
    @Test
    void the_key_of_a_session_has_the_same_bytes_in_all_versions() {
        assertThat(key(ORDERS)).isEqualTo("a6e7f3f5570426983f7339a2829e3ac8cabda3d0b7a46b1c324b655ed089e3a5");
    }

    @Test
    void another_secret_purpose_name_or_session_gives_another_key() {
        assertThat(Set.of(
                        key(ORDERS),
                        key(SharedKey.of("another secret of many characters", "doyen-cluster", "orders")),
                        key(SharedKey.of(SECRET, "doyen-quorum", "orders")),
                        key(SharedKey.of(SECRET, "doyen-cluster", "bills")),
                        HexFormat.of()
                                .formatHex(ORDERS.ofSession(new byte[] {1, 2}).getEncoded())))
                .hasSize(5);
    }

    @Test
    void a_purpose_with_a_slash_is_rejected_because_it_could_be_another_purpose_and_name() {
        assertThatThrownBy(() -> SharedKey.of(SECRET, "doyen/cluster", "orders"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the purpose of a key is \"doyen/cluster\"; it must not have a slash");
    }

    @Test
    void a_secret_has_16_to_1000_characters_and_8_different_ones() {
        assertThatCode(() -> SharedKey.check("abcdefghabcdefgh")).doesNotThrowAnyException();
        assertThatCode(() -> SharedKey.check("abcdefgh".repeat(125))).doesNotThrowAnyException();
        rejected("abcdefghabcdefg", "the secret has 15 characters; it needs 16 to 1000, preferably random ones");
        rejected(
                "abcdefgh".repeat(125) + "a",
                "the secret has 1001 characters; it needs 16 to 1000, preferably random ones");
        rejected(
                "abcdefgabcdefgabcdefg",
                "the secret has only 7 different characters; it needs 8, preferably random ones");
    }

    private static void rejected(String secret, String message) {
        assertThatThrownBy(() -> SharedKey.check(secret))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static String key(SharedKey key) {
        return HexFormat.of().formatHex(key.ofSession(new byte[] {1, 2, 3}).getEncoded());
    }
}
