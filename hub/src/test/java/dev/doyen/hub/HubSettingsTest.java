package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings that do not fit together, and keys that are none. */
class HubSettingsTest {

    static Stream<Arguments> misfits() {
        return Stream.of(
                misfit(b -> b.maxConnections(0), "maxConnections (0) must be positive; raise it"),
                misfit(b -> b.claimTimeout(Duration.ZERO), "claimTimeout (PT0S) must be positive; raise it"),
                misfit(
                        b -> b.remainPresentFor(Duration.ofMinutes(3)),
                        "connectionStateTtl (PT2M) must not be less than remainPresentFor (PT3M)"),
                misfit(b -> b.remainPresentFor(Duration.ofMillis(5)), "remainPresentFor (PT0.005S) must not be less"),
                misfit(b -> b.maxIdleInterval(Duration.ofSeconds(4)), "maxIdleInterval (PT4S) must not be less than"),
                misfit(b -> b.maxIdleInterval(Duration.ofHours(1)), "the greatest maxIdleInterval (PT30M) must not"),
                misfit(b -> b.claimTimeout(Duration.ofMinutes(3)), "connectionStateTtl (PT2M) must not be less than"),
                misfit(b -> b.maxFrameBytes(100_000), "maxFrameBytes (100000) must not be less than twice maxMessage"),
                misfit(b -> b.historyBytes(1), "historyBytes (1) must not be less than maxMessageBytes (65536)"),
                misfit(b -> b.historyBytesInAll(1), "historyBytesInAll (1) must not be less than historyBytes"),
                misfit(b -> b.inboundBurst(49), "inboundBurst (49) must not be less than inboundRatePerSecond (50)"),
                misfit(b -> b.storedAcksPerConnection(9), "storedAcksPerConnection (9) must not be less than heldAcks"),
                misfit(b -> b.lastMessageAge(Duration.ofSeconds(1)), "lastMessageAge (PT1S) must not be less than"),
                misfit(b -> b.fencedChannels(List.of("a*b")), "fencedChannels names \"a*b\", which is no channel name"),
                misfit(b -> b.fencedChannels(List.of("")), "fencedChannels names \"\", which is no channel name"),
                misfit(b -> b.serverId(""), "serverId is empty"));
    }

    private static Arguments misfit(Function<HubSettings.Builder, HubSettings.Builder> change, String sentence) {
        return Arguments.of(change, sentence);
    }

    @ParameterizedTest
    @MethodSource("misfits")
    void settings_that_do_not_fit_are_refused_with_a_sentence(
            Function<HubSettings.Builder, HubSettings.Builder> change, String sentence) {
        var builder = change.apply(HubSettings.builder());
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(sentence);
    }

    @Test
    void the_defaults_fit() {
        assertThat(HubSettings.defaults().maxConnections()).isEqualTo(10_000);
    }

    @Test
    void a_star_alone_fences_everything() {
        var settings = HubSettings.builder().fencedChannels(List.of("*")).build();
        assertThat(settings.isFenced("anything")).isTrue();
        assertThat(HubSettings.defaults().isFenced("anything")).isFalse();
    }

    @Test
    void keys_that_are_none_are_refused_without_being_shown() {
        for (String bad : List.of("", "app", "app.key", "app.key:", ":hush", ".key:hush", "app.:hush", "appkey:hush")) {
            assertThatThrownBy(() -> HubKeys.of(List.of("app.key:fine", bad)))
                    .hasMessage("API key number 2 is not written appId.keyId:secret");
        }
        assertThatThrownBy(() -> HubKeys.of(List.of())).hasMessageStartingWith("a hub needs at least one API key");
        assertThatThrownBy(() -> HubKeys.of(List.of("app.key:hush", "app.key:other")))
                .hasMessage("API key \"app.key\" comes twice; keep one");
    }

    @Test
    void a_secret_may_hold_colons() {
        assertThat(HubKeys.of(List.of("a.b:c:d")).authenticate("a.b:c:d")).contains("a.b");
    }
}
