package dev.doyen.hub.auth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the internal names of channels. */
class AppChannelsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"'';x;x", "'';a:b;a:b", "app;x;,app:x", "app;a:b;,app:a:b", "'';,x;,x", "'';'';''"})
    void an_internal_name_contains_the_app_and_the_name(String app, String name, String internalName) {
        assertThat(AppChannels.internalName(app, name)).isEqualTo(internalName);
        assertThat(AppChannels.appOf(internalName)).isEqualTo(app);
        assertThat(AppChannels.nameOf(internalName)).isEqualTo(name);
    }
}
