package dev.doyen.hub.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HubKeysTest {

    @Test
    void invalid_keys_are_rejected_and_not_printed() {
        for (String bad : List.of("", "app", "app.key", "app.key:", ":hush", ".key:hush", "app.:hush", "appkey:hush")) {
            assertThatThrownBy(() -> HubKeys.of(List.of("app.key:fine", bad)))
                    .hasMessage("API key number 2 is not written appId.keyId:secret");
        }
        assertThatThrownBy(() -> HubKeys.of(List.of())).hasMessageStartingWith("a hub needs at least one API key");
        assertThatThrownBy(() -> HubKeys.of(List.of("app.key:hush", "app.key:other")))
                .hasMessage("API key \"app.key\" occurs twice; remove one");
    }

    @Test
    void keys_of_two_apps_are_rejected() {
        assertThatThrownBy(() -> HubKeys.of(List.of("app.key:hush", "other.key:hush")))
                .hasMessage("API keys \"app.key\" and \"other.key\" belong to two apps, but a hub serves one;"
                        + " give both the same appId");
    }

    @Test
    void a_secret_can_contain_colons() {
        assertThat(HubKeys.of(List.of("a.b:c:d")).authenticate("a.b:c:d"))
                .map(HubKey::name)
                .contains("a.b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "a.b:", "a.b:x", "a.c:c", "", ":"})
    void only_name_and_secret_together_are_valid(String text) {
        assertThat(HubKeys.of(List.of("a.b:c")).authenticate(text)).isEmpty();
    }

    @Test
    void a_name_alone_is_not_a_key() {
        assertThat(HubKeys.of(List.of("a.b:a.b")).authenticate("a.b")).isEmpty();
    }

    @Test
    void a_secret_is_never_printed() {
        assertThat(HubKeys.of(List.of("a.b:hush")) + " " + HubKey.of("a.b:hush"))
                .doesNotContain("hush")
                .contains("HubKey[a.b]");
    }
}
